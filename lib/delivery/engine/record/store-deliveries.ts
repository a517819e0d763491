import type { LeasedDelivery, OutboxEntry } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';

/** Deliveries that one statement stores: others wait for it for no more than some milliseconds. */
export const STORE_BATCH_ROWS = 200;

/*
 * The outbox row is the license to store: who removed it (an erasure) or is about to waits for this statement, or keeps it
 * from storing anything. A row leaves with its last delivery, unless another worker has taken it since.
 */
export const ENTRIES_SQL = `
  entry AS (
    SELECT * FROM unnest($1::uuid[], $2::int[], $3::boolean[]) AS e(id, takes, is_complete)
  ), removed AS (
    DELETE FROM outbox o USING entry e WHERE o.id = e.id AND e.is_complete AND o.attempts = e.takes RETURNING o.id
  ), held AS (
    SELECT o.id FROM outbox o JOIN entry e ON e.id = o.id
    WHERE NOT (e.is_complete AND o.attempts = e.takes) ORDER BY o.id FOR KEY SHARE OF o
  ), licensed AS MATERIALIZED (SELECT id FROM removed UNION ALL SELECT id FROM held)`;

const STORE_SQL = `
  WITH ${ENTRIES_SQL}, durability AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO deliveries (id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, next_attempt_at)
  SELECT d.id, d.project_id, d.event_id, d.incoming_event_id, d.endpoint_id, d.destination_id,
         now() + make_interval(secs => $11)
  FROM durability, unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::uuid[], $10::uuid[])
    AS d(outbox_id, id, project_id, event_id, incoming_event_id, endpoint_id, destination_id)
  JOIN licensed ON licensed.id = d.outbox_id
  ORDER BY d.id
  ON CONFLICT (id) DO NOTHING`;

/**
 * Stores the deliveries of jobs as pending, due in so many seconds, and removes the outbox rows that wait for no other. The
 * jobs have no outbox row any more. At most STORE_BATCH_ROWS at once.
 */
export async function storeDeliveries(sql: Sql, jobs: readonly LeasedDelivery[], dueInSeconds: number): Promise<void> {
  const license = licenseOf(jobs);
  const column = <T>(read: (job: LeasedDelivery) => T) => jobs.map(read);
  await sql.query({
    name: 'store-deliveries',
    text: STORE_SQL,
    values: [...license.columns, ...deliveryColumns(column), dueInSeconds],
  });
  await license.settle(sql);
}

/** What a delivery is, as parameters of a statement that stores it. */
export function deliveryColumns(column: <T>(read: (job: LeasedDelivery) => T) => T[]): unknown[][] {
  return [
    column(({ entry }) => entry?.id),
    column(({ deliveryId }) => deliveryId),
    column(({ projectId }) => projectId),
    column(({ source }) => source.eventId),
    column(({ source }) => source.incomingEventId),
    column(({ targetKind, targetId }) => (targetKind === 'endpoint' ? targetId : null)),
    column(({ targetKind, targetId }) => (targetKind === 'destination' ? targetId : null)),
  ];
}

/** What a statement with ENTRIES_SQL needs to store the deliveries of some jobs. */
export interface License {
  /** Its parameters $1 to $3. */
  columns: [ids: string[], takes: number[], isComplete: boolean[]];
  /** To be called once that is committed: the jobs have no outbox row any more. */
  settle(sql: Sql): Promise<void>;
}

/** Tells which outbox rows these jobs stand for, and which of them leave with these jobs. */
export function licenseOf(jobs: readonly LeasedDelivery[]): License {
  const storedNow = new Map<OutboxEntry, number>();
  for (const { entry } of jobs) if (entry !== null) storedNow.set(entry, (storedNow.get(entry) ?? 0) + 1);
  // In one order everywhere: two workers that hold the same row never wait for each other in a circle.
  const entries = [...storedNow.keys()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const isComplete = entries.map((entry) => entry.unstored === storedNow.get(entry));
  return {
    columns: [entries.map(({ id }) => id), entries.map(({ takes }) => takes), isComplete],
    async settle(sql) {
      for (const job of jobs) detach(job);
      // The last two statements of a row may run at the same time, and then neither is the one that removes it.
      const left = entries.filter((entry, index) => entry.unstored === 0 && !isComplete[index]);
      await removeEntries(sql, left).catch((error: unknown) => {
        log().warn({ err: error, rows: left.length }, 'finished outbox rows could not be removed; they come again');
      });
      for (const entry of entries) if (entry.unstored === 0) entry.onClosed?.();
    },
  };
}

/** Removes outbox rows whose deliveries are all stored, unless another worker has taken them since. */
export async function removeEntries(sql: Sql, entries: readonly OutboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await sql.query(
    'DELETE FROM outbox o USING unnest($1::uuid[], $2::int[]) AS e(id, takes) WHERE o.id = e.id AND o.attempts = e.takes',
    [entries.map(({ id }) => id), entries.map(({ takes }) => takes)],
  );
}

function detach(job: LeasedDelivery): void {
  if (job.entry === null) return;
  job.entry.unstored -= 1;
  job.entry = null;
}
