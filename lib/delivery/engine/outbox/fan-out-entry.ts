import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import type { Dispatcher } from '@/lib/delivery/engine/dispatch/dispatcher';
import { sourceIdOf } from '@/lib/delivery/engine/messages';
import type { LeasedDelivery, Target } from '@/lib/delivery/engine/types';
import { hotDatabase } from '@/lib/platform/db';
import type { Pauses } from '@/lib/platform/pauses';
import { firstDelivery, type TakenEntry } from './take-entries';
import { MAX_NAMED_TARGETS, MORE_TARGETS_SQL } from './take-sql';

/**
 * Hands an event's deliveries to the dispatcher, as far as it sends them without delay.
 *
 * @param targets by id; one that was disabled or deleted since the event was taken is not among them, and gets none
 * @returns the other deliveries, which are to be stored. When none is left to store the caller removes the row.
 */
export async function fanOutEntry(
  dispatcher: Dispatcher,
  taken: TakenEntry,
  targets: ReadonlyMap<string, Target>,
  pauses: Pauses,
): Promise<LeasedDelivery[]> {
  const { message } = taken;
  if (message === null) return [];
  const sourceId = sourceIdOf(taken.source);
  const unsent: LeasedDelivery[] = [];
  // Held open: the first deliveries may be recorded before the last ones are counted in, and the row must not leave with them.
  taken.entry.unstored += 1;
  for (const { id } of taken.targets) {
    if (pauses.isDue()) {
      dispatcher.pump();
      await pauses.take();
    }
    const target = targets.get(id);
    if (target === undefined || taken.stored.has(deliveryIdOf(sourceId, id))) continue;
    const delivery = firstDelivery(taken, target);
    const isSent =
      dispatcher.admission.maySendUnstored(taken.projectId, id) && dispatcher.add(target, { ...delivery, message });
    if (!isSent) unsent.push(delivery);
  }
  const more = taken.deliveries > taken.targets.length ? await listMoreTargets(taken) : [];
  for (const id of more) {
    if (taken.stored.has(deliveryIdOf(sourceId, id))) continue;
    unsent.push(firstDelivery(taken, { id, kind: taken.source.eventId === null ? 'destination' : 'endpoint' }));
  }
  taken.entry.unstored -= 1;
  return unsent;
}

/** The targets beyond those that a take names: a deployment may let a project have more endpoints than that. */
async function listMoreTargets({ source, targets }: TakenEntry): Promise<string[]> {
  const ids: string[] = [];
  for (let after = targets.at(-1)?.id; after !== undefined; ) {
    const { rows } = await hotDatabase().query<{ id: string }>(MORE_TARGETS_SQL, [
      source.eventId,
      source.incomingEventId,
      after,
    ]);
    ids.push(...rows.map(({ id }) => id));
    after = rows.length === MAX_NAMED_TARGETS ? rows.at(-1)?.id : undefined;
  }
  return ids;
}
