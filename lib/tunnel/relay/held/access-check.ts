import { isAppError } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { CLOSE } from '@/lib/tunnel/protocol/protocol';
import type { TunnelSession } from '@/lib/tunnel/protocol/session';
import { ACCESS_CHECK_MS } from '@/lib/tunnel/relay/limits';
import type { TunnelClient } from './tunnel-client';

/**
 * Regularly checks that a connected client still has access, and closes its connection when it does not. A check that fails
 * for another reason, such as an unreachable database, changes nothing.
 * @returns a function that stops the checks
 */
export function checkAccess(client: TunnelClient, session: TunnelSession, everyMs = ACCESS_CHECK_MS): () => void {
  let isChecking = false;
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      await client.checkAccess();
    } catch (error) {
      if (isAppError(error) && error.status < 500 && error.status !== 429)
        session.close(CLOSE.forbidden, error.message);
      else log().warn({ err: error, tunnelId: client.tunnelId }, 'access of a tunnel client could not be checked');
    } finally {
      isChecking = false;
    }
  };
  const timer = setInterval(() => void check(), everyMs);
  return () => clearInterval(timer);
}
