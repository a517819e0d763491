import { inTransaction, type Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { findReceivers } from './find-receivers';
import { type LeaseClock, leaseFromNow } from './lease';
import { toMessage } from './messages';
import { claimOutbox, claimOutboxEntry, type OutboxEntry } from './outbox-entry';
import { loadTargets } from './targets';
import type { Job, Target } from './types';

/** What became of a batch of outbox rows. */
export interface FannedOut {
  entries: number;
  /** Deliveries inserted with the lease already taken, for this worker to send now. */
  handedOver: { target: Target; job: Job }[];
  /** Targets that got deliveries for later: they are due now, for any worker to claim. */
  overflowed: Set<string>;
}

/** A batch that was rolled back, with the rows it held. */
export class FanOutError extends Error {
  override readonly name = 'FanOutError';
  constructor(
    readonly outboxIds: string[],
    override readonly cause: unknown,
  ) {
    super('fan-out failed', { cause });
  }
}

/** How many deliveries of a target this worker can take on at once. */
type RoomFor = (targetId: string) => number;

interface NewDelivery {
  entry: OutboxEntry;
  target: Target;
  id: string;
  isHandedOver: boolean;
}

/**
 * Turns up to `limit` outbox rows into deliveries, one for each endpoint with a matching subscription or destination of
 * the source, and removes the rows, in one transaction.
 *
 * First attempts are handed to the caller as long as `roomFor` has room: that spares a claim, which would write each
 * delivery a third time.
 * @throws FanOutError when the batch was rolled back after rows had been claimed
 */
export function fanOutBatch(limit: number, roomFor: RoomFor): Promise<FannedOut> {
  return fanOut((tx) => claimOutbox(tx, limit), roomFor);
}

/** The same for one row, so that a bad one does not hold up its batch. */
export function fanOutEntry(outboxId: string, roomFor: RoomFor): Promise<FannedOut> {
  return fanOut((tx) => claimOutboxEntry(tx, outboxId), roomFor);
}

async function fanOut(claim: (tx: Sql) => Promise<OutboxEntry[]>, roomFor: RoomFor): Promise<FannedOut> {
  let entries: OutboxEntry[] = [];
  try {
    return await inTransaction(async (tx) => {
      // Losing the last moments in a crash of the database only does this work again: the outbox rows come back too.
      await tx.query('SET LOCAL synchronous_commit = off');
      entries = await claim(tx);
      if (entries.length === 0) return { entries: 0, handedOver: [], overflowed: new Set<string>() };
      const deliveries = await planDeliveries(tx, entries, roomFor);
      const lease = leaseFromNow();
      await storeDeliveries(tx, entries, deliveries, lease);
      return summarise(entries, deliveries, lease);
    });
  } catch (error) {
    if (entries.length === 0) throw error;
    throw new FanOutError(
      entries.map(({ id }) => id),
      error,
    );
  }
}

async function planDeliveries(tx: Sql, entries: OutboxEntry[], roomFor: RoomFor): Promise<NewDelivery[]> {
  const receivers = await findReceivers(tx, entries);
  const loaded = await loadTargets(tx, [...new Set([...receivers.values()].flatMap((ids) => [...ids]))]);
  const room = new Map<string, number>();
  const planned: NewDelivery[] = [];
  for (const entry of entries) {
    for (const targetId of receivers.get(entry.id) ?? []) {
      const found = loaded.get(targetId);
      if (found === undefined || !('target' in found)) continue;
      const { target } = found;
      const left = room.get(targetId) ?? roomFor(targetId);
      room.set(targetId, left - 1);
      planned.push({ entry, target, id: newId(), isHandedOver: left > 0 });
    }
  }
  return planned;
}

const STORE_SQL = `
  WITH done AS (DELETE FROM outbox WHERE id = ANY($1::uuid[]))
  INSERT INTO deliveries (id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, next_attempt_at)
  SELECT id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, now() + make_interval(secs => lease)
  FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::float8[])
    AS d(id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, lease)`;

async function storeDeliveries(tx: Sql, entries: OutboxEntry[], deliveries: NewDelivery[], lease: LeaseClock) {
  await tx.query(STORE_SQL, [
    entries.map(({ id }) => id),
    deliveries.map(({ id }) => id),
    deliveries.map(({ entry }) => entry.project_id),
    deliveries.map(({ entry }) => entry.event_id),
    deliveries.map(({ entry }) => entry.incoming_event_id),
    deliveries.map(({ target }) => (target.kind === 'endpoint' ? target.id : null)),
    deliveries.map(({ target }) => (target.kind === 'destination' ? target.id : null)),
    deliveries.map(({ isHandedOver }) => (isHandedOver ? lease.seconds : 0)),
  ]);
}

function summarise(entries: OutboxEntry[], deliveries: NewDelivery[], lease: LeaseClock): FannedOut {
  const messages = new Map(entries.map((entry) => [entry.id, toMessage(entry)]));
  const overflowed = new Set<string>();
  const handedOver: FannedOut['handedOver'] = [];
  for (const { entry, target, id, isHandedOver } of deliveries) {
    const message = messages.get(entry.id) ?? null;
    if (!isHandedOver) overflowed.add(target.id);
    if (!isHandedOver || message === null) continue;
    const job = { deliveryId: id, projectId: entry.project_id ?? '', message };
    handedOver.push({ target, job: { ...job, attemptNumber: 1, scheduleStep: 0, leaseEndsAt: lease.endsAt } });
  }
  return { entries: entries.length, handedOver, overflowed };
}
