import type { ProjectCaller } from '@/lib/audit/caller';
import { auditChange } from '@/lib/audit/record-audit';
import type { ReplayedIncomingEvent, ReplayIncomingEventBody } from '@/lib/incoming/schema';
import { lockProjectIfLive } from '@/lib/orgs/locks';
import { AppError, notFound } from '@/lib/platform/errors';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { queueForwards } from './queue-forwards';
import { findIncomingEvent, lockIncomingEvent, selectDestinations } from './replays-sql';

/**
 * Forwards an incoming event again, to one destination or to each enabled one, including those created after it arrived.
 * @throws AppError not_found; conflict when its signature did not verify, or no destination is enabled; rate_limited when
 *   many replays of the project wait
 */
export async function replayIncomingEvent(
  caller: ProjectCaller,
  projectId: string,
  incomingEventId: string,
  { destinationId }: ReplayIncomingEventBody,
): Promise<ReplayedIncomingEvent> {
  const replay = async (tx: Transaction) => {
    const event = await findIncomingEvent.first(tx, { project: projectId, incomingEvent: incomingEventId });
    if (event === undefined) throw notFound('incoming event');
    if (event.verified === false) {
      throw new AppError('conflict', 'This incoming event failed signature verification, so it’s never forwarded.');
    }
    const destinationIds = await chooseDestinations(tx, projectId, event.source_id, destinationId ?? null);
    // The project is locked first, as lib/orgs/orgs-sql.ts demands. Meanwhile retention may have removed the event.
    const locked = await lockIncomingEvent.run(tx, { project: projectId, incomingEvent: incomingEventId });
    if (locked === 0) throw notFound('incoming event');
    const deliveryIds = await queueForwards(tx, projectId, [incomingEventId], destinationIds);
    await auditChange(tx, caller, 'incoming_event.replayed', incomingEventId, {
      projectId,
      ...(destinationId === undefined ? {} : { destinationId }),
    });
    return { deliveryIds };
  };
  return inRowTurn(projectId, () => inTransaction(replay));
}

/**
 * Lists the enabled destinations of a source, or the given one. Locks the project.
 * @throws AppError not_found for a destination that the source does not have; conflict when none is enabled
 */
export async function chooseDestinations(
  tx: Transaction,
  projectId: string,
  sourceId: string,
  destinationId: string | null,
): Promise<string[]> {
  await lockProjectIfLive(tx, projectId);
  const found = await selectDestinations.all(tx, { project: projectId, source: sourceId, destination: destinationId });
  if (found.length > 0) return found.map(({ id }) => id);
  if (destinationId === null) {
    throw new AppError('conflict', 'The source has no enabled destinations. Create or enable one, then replay.');
  }
  const where = { id: destinationId, sourceId, projectId, deletedAt: null };
  if ((await tx.prisma.destination.count({ where })) === 0) throw notFound('destination');
  throw new AppError('conflict', 'The destination is disabled. Enable it, then replay.');
}
