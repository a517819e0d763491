import { AppError } from '@/lib/platform/errors';
import { REDACTED } from '@/lib/platform/net/credential-names';
import { withoutHopByHopHeaders } from '@/lib/platform/net/header-pairs';
import { prisma } from '@/lib/platform/prisma/client';
import type { TunnelRequestLog } from '@/lib/platform/prisma/generated/client';
import { getTunnelRow } from '@/lib/tunnel/records/queries';
import { testResponseOf } from '@/lib/tunnel/records/tunnel-columns';
import { sendThroughTunnel } from '@/lib/tunnel/relay/current-relay';
import type { ReplayedTunnelRequest, ReplayObstacle } from '@/lib/tunnel/schema';
import { isCredentialHeader } from './log-row';
import { findReplayObstacle, parseHeaders } from './present-request';
import { findRequestRow } from './queries';

const REASONS: Record<ReplayObstacle, string> = {
  body_truncated: 'Only part of the body of this request was kept, so it cannot be replayed. Send it again yourself.',
  body_not_kept: 'The body of this request was not kept, so it cannot be replayed. Send it again yourself.',
  headers_not_kept: 'The headers of this request were not kept, so it cannot be replayed. Send it again yourself.',
};

/**
 * Sends a logged request through its tunnel again, without credentials, which the log does not keep.
 * @returns the id of the new request, which has its own entry in the log
 * @throws AppError not_found; request_not_kept; tunnel_offline, tunnel_timeout or tunnel_busy
 */
export async function replayTunnelRequest(
  projectId: string,
  tunnelId: string,
  requestId: string,
): Promise<ReplayedTunnelRequest> {
  const tunnel = await getTunnelRow(prisma(), projectId, tunnelId);
  const row = await findRequestRow(projectId, tunnelId, requestId);
  const obstacle = findReplayObstacle(row);
  if (obstacle !== null) throw new AppError('request_not_kept', REASONS[obstacle]);
  return sendThroughTunnel({ ...repeatedRequest(row), testResponse: testResponseOf(tunnel) });
}

/**
 * Returns a copy of a logged request to send again: without credentials, which the log does not keep, and without headers of
 * the connection and its framing, which the relay sets for the new request.
 */
export function repeatedRequest(row: TunnelRequestLog) {
  const { id, tunnelId, projectId, method, path } = row;
  const headers = withoutHopByHopHeaders(parseHeaders(row.requestHeaders) ?? []);
  return {
    tunnelId,
    projectId,
    method,
    path,
    replayOf: id,
    headers: headers.filter(([name, value]) => value !== REDACTED && !isLeftOut(name)),
    body: Buffer.from(row.requestBody ?? []),
  };
}

function isLeftOut(name: string): boolean {
  return isCredentialHeader(name) || name.toLowerCase() === 'content-length';
}
