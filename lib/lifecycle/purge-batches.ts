import type { Sql } from '@/lib/platform/db';

/** Deletes a batch of a project's rows above an id. Returns the highest id of the batch, null when no row was found. */
export type PurgeBatch = (tx: Sql, projectId: string, aboveId: string) => Promise<string | null>;

const BATCH_ROWS = 1_000;

type Table =
  | 'outbox'
  | 'events'
  | 'incoming_events'
  | 'subscriptions'
  | 'endpoints'
  | 'destinations'
  | 'sources'
  | 'tunnels'
  | 'tunnel_request_log'
  | 'api_keys';

/**
 * Makes the batch for a table. `skips` skips locked rows: a worker that holds some rows and needs others could deadlock
 * with this. `waits` waits for locked rows: their transaction must have ended before the next table is emptied.
 */
export function tableBatch(table: Table, manner: 'skips' | 'waits'): PurgeBatch {
  const text = `
    WITH batch AS MATERIALIZED (
      SELECT id FROM ${table} WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT ${BATCH_ROWS}
      FOR UPDATE ${manner === 'skips' ? 'SKIP LOCKED' : ''}
    ), gone AS (DELETE FROM ${table} WHERE project_id = $1 AND id = ANY(ARRAY(SELECT id FROM batch)))
    SELECT id FROM batch ORDER BY id DESC LIMIT 1`;
  return async (tx, projectId, aboveId) => {
    const { rows } = await tx.query<{ id: string }>(text, [projectId, aboveId]);
    return rows[0]?.id ?? null;
  };
}

/**
 * Deletes a batch of deliveries with their attempts. Attempts have no index by project and no foreign key: they are
 * found by their deliveries, and deleted after those, when no worker can record another attempt.
 */
export async function deliveriesBatch(tx: Sql, projectId: string, aboveId: string): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `DELETE FROM deliveries WHERE project_id = $1 AND id = ANY(ARRAY(
       SELECT id FROM deliveries WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT ${BATCH_ROWS}
       FOR UPDATE SKIP LOCKED))
     RETURNING id`,
    [projectId, aboveId],
  );
  const ids = rows.map(({ id }) => id).toSorted();
  // The subquery hides the array from the planner, which would estimate each of a thousand ids for every partition
  // (400 ms).
  const attempts = 'DELETE FROM delivery_attempts WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[])))';
  if (ids.length > 0) await tx.query(attempts, [ids]);
  return ids.at(-1) ?? null;
}
