import type { ReplayObstacle, Tunnel, TunnelRequestDetail } from '@/lib/tunnel/schema';

const REASONS: Record<ReplayObstacle, string> = {
  body_truncated: 'Only the beginning of its body was stored, so it can’t be replayed.',
  body_not_kept: 'Its body wasn’t stored, so it can’t be replayed.',
  headers_not_kept: 'Its headers weren’t stored, so it can’t be replayed.',
};

/** Returns why a request cannot be replayed now; undefined when it can. */
export function replayDisabledReason(
  request: Pick<TunnelRequestDetail, 'replayObstacle'>,
  tunnel: Pick<Tunnel, 'online' | 'testResponse'> | undefined,
  roleReason: string | undefined,
): string | undefined {
  if (roleReason !== undefined) return roleReason;
  if (request.replayObstacle !== null) return REASONS[request.replayObstacle];
  const isOffline = tunnel !== undefined && !tunnel.online && tunnel.testResponse === null;
  return isOffline ? 'The tunnel is offline. Start its client first.' : undefined;
}
