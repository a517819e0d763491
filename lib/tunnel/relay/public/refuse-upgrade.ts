import { AppError } from '@/lib/platform/errors';
import { findPassage, type Visit } from './passage';
import type { PublicSide } from './public-side';

/**
 * Refuses a WebSocket to a tunnel, and logs it like any other request.
 * @throws AppError upgrade_unsupported; not_found, forbidden, unauthenticated
 */
export async function refuseUpgrade(side: PublicSide, visit: Visit): Promise<never> {
  const passage = await findPassage(side, visit);
  try {
    passage.refuseVisitor();
    throw new AppError('upgrade_unsupported', 'Tunnels don’t support WebSocket connections. Use server-sent events.');
  } catch (error) {
    passage.log.finish(error);
    throw error;
  }
}
