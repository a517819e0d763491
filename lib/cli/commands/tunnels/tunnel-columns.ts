import type { Column } from '@/lib/cli/output/column';
import type { Tunnel, TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';

export const TUNNEL_COLUMNS: Column<Tunnel>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'STATE', value: stateOf, kind: 'state' },
  { header: 'URL', value: ({ url }) => url, kind: 'url' },
  { header: 'LAST SEEN', value: ({ lastSeenAt }) => lastSeenAt, kind: 'time', spare: 1 },
];

export const TUNNEL_FIELDS: Column<Tunnel>[] = [
  ...TUNNEL_COLUMNS,
  { header: 'PASSWORD', value: ({ basicAuth }) => (basicAuth === null ? null : `of ${basicAuth.username}`) },
  { header: 'ALLOWED', value: ({ allowedCidrs }) => allowedCidrs.join(', ') },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
];

export const REQUEST_COLUMNS: Column<TunnelRequest>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'METHOD', value: ({ method }) => method },
  { header: 'PATH', value: ({ path }) => path, kind: 'url' },
  { header: 'STATUS', value: ({ responseStatus }) => responseStatus, kind: 'state' },
  { header: 'DURATION', value: ({ durationMs }) => durationMs, kind: 'duration', spare: 1 },
  { header: 'ERROR', value: ({ error }) => error, spare: 2 },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 3 },
];

export const REQUEST_FIELDS: Column<TunnelRequestDetail>[] = [
  ...REQUEST_COLUMNS,
  { header: 'REPLAY OF', value: ({ replayOf }) => replayOf },
  { header: 'REQUEST SIZE', value: ({ requestSize }) => requestSize, kind: 'size' },
  { header: 'RESPONSE SIZE', value: ({ responseSize }) => responseSize, kind: 'size' },
];

function stateOf({ testResponse, online }: Tunnel): string {
  if (testResponse) return `answers ${testResponse.status}`;
  return online ? 'online' : 'offline';
}
