import type { Column } from '@/lib/cli/output/column';
import type { Tunnel, TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';

export const TUNNEL_COLUMNS: Column<Tunnel>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'STATE', value: ({ online }) => (online ? 'online' : 'offline'), kind: 'state' },
  { header: 'URL', value: ({ url }) => url },
  { header: 'LAST SEEN', value: ({ lastSeenAt }) => lastSeenAt, kind: 'time' },
];

export const TUNNEL_FIELDS: Column<Tunnel>[] = [
  ...TUNNEL_COLUMNS,
  { header: 'PASSWORD', value: ({ basicAuth }) => (basicAuth === null ? null : `of ${basicAuth.username}`) },
  { header: 'ALLOWED', value: ({ allowedCidrs }) => allowedCidrs.join(', ') },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
];

export const REQUEST_COLUMNS: Column<TunnelRequest>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'METHOD', value: ({ method }) => method },
  { header: 'PATH', value: ({ path }) => path },
  { header: 'STATUS', value: ({ responseStatus }) => responseStatus, kind: 'state' },
  { header: 'DURATION', value: ({ durationMs }) => durationMs, kind: 'duration' },
  { header: 'ERROR', value: ({ error }) => error },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
];

export const REQUEST_FIELDS: Column<TunnelRequestDetail>[] = [
  ...REQUEST_COLUMNS,
  { header: 'REPLAY OF', value: ({ replayOf }) => replayOf },
  { header: 'REQUEST SIZE', value: ({ requestSize }) => requestSize, kind: 'size' },
  { header: 'RESPONSE SIZE', value: ({ responseSize }) => responseSize, kind: 'size' },
];
