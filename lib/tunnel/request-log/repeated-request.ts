import type { TunnelRequestLog } from '@/lib/platform/prisma/generated/client';
import { isCredentialHeader } from '@/lib/tunnel/credential-headers';
import { parseHeaders } from './present-request';

/** Headers of the connection and its framing. The relay sets them for the new request. */
const FRAMING = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  'content-length',
]);

/** Returns a copy of a logged request to send again, without credentials, which the log does not keep. */
export function repeatedRequest(row: TunnelRequestLog) {
  const { id, tunnelId, projectId, method, path } = row;
  const headers = parseHeaders(row.requestHeaders) ?? [];
  return {
    ...{ tunnelId, projectId, method, path, replayOf: id },
    headers: headers.filter(([name]) => !isCredentialHeader(name) && !FRAMING.has(name.toLowerCase())),
    body: Buffer.from(row.requestBody ?? []),
  };
}
