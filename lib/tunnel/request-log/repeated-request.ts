import { REDACTED } from '@/lib/platform/net/credential-names';
import { withoutHopByHopHeaders } from '@/lib/platform/net/hop-by-hop-headers';
import type { TunnelRequestLog } from '@/lib/platform/prisma/generated/client';
import { isCredentialHeader } from '@/lib/tunnel/credential-headers';
import { parseHeaders } from './present-request';

/**
 * Returns a copy of a logged request to send again: without credentials, which the log does not keep, and without headers of
 * the connection and its framing, which the relay sets for the new request.
 */
export function repeatedRequest(row: TunnelRequestLog) {
  const { id, tunnelId, projectId, method, path } = row;
  const headers = withoutHopByHopHeaders(parseHeaders(row.requestHeaders) ?? []);
  return {
    ...{ tunnelId, projectId, method, path, replayOf: id },
    headers: headers.filter(([name, value]) => value !== REDACTED && !isLeftOut(name)),
    body: Buffer.from(row.requestBody ?? []),
  };
}

function isLeftOut(name: string): boolean {
  return isCredentialHeader(name) || name.toLowerCase() === 'content-length';
}
