import type { LeasedDelivery, OutboxEntry } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { type DeliveriesValues, deleteEntries, type EntriesValues, insertDeliveries } from './record-sql';

/** The most deliveries that one statement stores, so that it takes a few milliseconds. */
export const STORE_BATCH_ROWS = 200;

/**
 * Stores the deliveries of at most STORE_BATCH_ROWS jobs as pending, and removes the outbox rows whose deliveries are all stored.
 * Clears `entry` of the jobs.
 */
export async function storeDeliveries(sql: Sql, jobs: readonly LeasedDelivery[], dueInSeconds: number): Promise<void> {
  const entries = outboxEntriesOf(jobs);
  const column = <T>(read: (job: LeasedDelivery) => T) => jobs.map(read);
  await insertDeliveries.run(sql, { ...entries.values, ...deliveryColumns(column), dueInSeconds });
  await entries.settle(sql);
}

/** Reads the parameters of a statement that stores deliveries, column by column. */
export function deliveryColumns(column: <T>(read: (job: LeasedDelivery) => T) => T[]): DeliveriesValues {
  const customerIds = column(({ customerId }) => customerId);
  return {
    outboxIds: column(({ entry }) => entry?.id ?? null),
    deliveryIds: column(({ deliveryId }) => deliveryId),
    projectIds: column(({ projectId }) => projectId),
    eventIds: column(({ source }) => source.eventId),
    incomingEventIds: column(({ source }) => source.incomingEventId),
    endpointIds: column(({ targetKind, targetId }) => (targetKind === 'endpoint' ? targetId : null)),
    destinationIds: column(({ targetKind, targetId }) => (targetKind === 'destination' ? targetId : null)),
    customerIds: customerIds.some((id) => id !== null) ? customerIds : [],
  };
}

/** The outbox rows of the deliveries that a statement of ./record-sql.ts stores. */
export interface OutboxEntries {
  values: EntriesValues;
  /** Clears `entry` of the jobs and removes finished outbox rows. Call it after the commit. */
  settle(sql: Sql): Promise<void>;
}

/** Finds the outbox rows of jobs, and whether these jobs are the last ones of their row. */
export function outboxEntriesOf(jobs: readonly LeasedDelivery[]): OutboxEntries {
  const storedNow = new Map<OutboxEntry, number>();
  for (const { entry } of jobs) if (entry !== null) storedNow.set(entry, (storedNow.get(entry) ?? 0) + 1);
  // The same order everywhere, so that two workers never deadlock.
  const entries = [...storedNow.keys()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const areComplete = entries.map((entry) => entry.unstored === storedNow.get(entry));
  return {
    values: { entryIds: entries.map(({ id }) => id), takes: entries.map(({ takes }) => takes), areComplete },
    async settle(sql) {
      for (const job of jobs) detach(job);
      // If the last two statements of a row run at the same time, neither removes it.
      const left = entries.filter((entry, index) => entry.unstored === 0 && !areComplete[index]);
      await removeEntries(sql, left).catch((error: unknown) => {
        log().warn(
          { err: error, rows: left.length },
          'finished outbox rows could not be removed; they will be taken again',
        );
      });
      for (const entry of entries) if (entry.unstored === 0) entry.onClosed?.();
    },
  };
}

/** Removes outbox rows whose deliveries are all stored, unless another worker has taken them meanwhile. */
export async function removeEntries(sql: Sql, entries: readonly OutboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await deleteEntries.run(sql, {
    entryIds: entries.map(({ id }) => id),
    takes: entries.map(({ takes }) => takes),
  });
}

function detach(job: LeasedDelivery): void {
  if (job.entry === null) return;
  job.entry.unstored -= 1;
  job.entry = null;
}

/** A batch has hundreds; the log names the first ones. */
const MAX_LOGGED = 10;

/** Describes a batch for the log: how many deliveries it has, and the ids of the first ones. */
export function loggedIds(jobs: readonly LeasedDelivery[]): { jobs: number; deliveryIds: string[] } {
  return { jobs: jobs.length, deliveryIds: jobs.slice(0, MAX_LOGGED).map(({ deliveryId }) => deliveryId) };
}
