import { setImmediate as nextTurn } from 'node:timers/promises';
import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import type { Dispatcher } from '@/lib/delivery/engine/dispatch/dispatcher';
import { sourceIdOf } from '@/lib/delivery/engine/messages';
import type { LeasedDelivery, Target } from '@/lib/delivery/engine/types';
import { hotDatabase } from '@/lib/platform/db';
import { MAX_NAMED_TARGETS, selectMoreTargets } from './outbox-sql';
import { firstDelivery, type TakenEntry } from './take-entries';

/**
 * Makes the deliveries of an outbox row, and hands those to the dispatcher that can be sent without being stored.
 *
 * @param targets by id; a target that was disabled or deleted meanwhile is missing and gets no delivery
 * @returns the other deliveries. The caller stores them, or removes the row if none is unstored.
 */
export async function fanOutEntry(
  dispatcher: Dispatcher,
  taken: TakenEntry,
  targets: ReadonlyMap<string, Target>,
  yielder: Yielder,
): Promise<LeasedDelivery[]> {
  const { message } = taken;
  if (message === null) return [];
  const sourceId = sourceIdOf(taken.source);
  const unsent: LeasedDelivery[] = [];
  // One extra until the end: the first deliveries may be recorded before the last one is made, and that must not remove the row.
  taken.entry.unstored += 1;
  for (const { id } of taken.targets) {
    if (yielder.shouldYield()) {
      dispatcher.pump();
      await yielder.yield();
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

/** Lists the targets beyond the first MAX_NAMED_TARGETS, which a take does not name. */
async function listMoreTargets({ source, targets }: TakenEntry): Promise<string[]> {
  const ids: string[] = [];
  for (let after = targets.at(-1)?.id; after !== undefined; ) {
    const rows = await selectMoreTargets.all(hotDatabase(), source.eventId, source.incomingEventId, after);
    ids.push(...rows.map(({ id }) => id));
    after = rows.length === MAX_NAMED_TARGETS ? rows.at(-1)?.id : undefined;
  }
  return ids;
}

/** Splits long work, so that the event loop serves other work after every `every` steps. */
export class Yielder {
  private steps = 0;

  constructor(private readonly every: number) {}

  /** Counts a step. @returns whether to yield before the next one */
  shouldYield(): boolean {
    this.steps = (this.steps + 1) % this.every;
    return this.steps === 0;
  }

  /** Yields to the event loop. */
  async yield(): Promise<void> {
    await nextTurn();
  }
}
