import { database } from '@/lib/platform/db';

const SHOWN = 25;

/** Rows with pending work. */
export interface PendingRows {
  outbox: number;
  deliveries: number;
}

export async function countPendingRows(): Promise<PendingRows> {
  const { rows } = await database().query<PendingRows>(
    `SELECT (SELECT count(*)::int FROM outbox WHERE kind = 'EVENT' AND status = 'PENDING') AS outbox,
            (SELECT count(*)::int FROM deliveries WHERE status = 'PENDING') AS deliveries`,
  );
  return rows[0] ?? { outbox: Number.NaN, deliveries: Number.NaN };
}

/** Describes the first 25 missing events by their rows in the database, one line each. */
export async function explainMissing(ids: readonly string[]): Promise<string[]> {
  const { rows } = await database().query<{ line: string }>(
    `SELECT m.id || ': ' || CASE WHEN e.id IS NULL THEN 'not in events' ELSE 'stored ' || e.created_at END
       || COALESCE((SELECT string_agg(format('; outbox %s, %s attempts, error %s', o.status, o.attempts,
            COALESCE(o.last_error, 'none')), '') FROM outbox o WHERE o.event_id = m.id), '; not in outbox')
       || COALESCE((SELECT string_agg(format('; delivery %s, %s attempts, next %s, error %s', d.status, d.attempt_count,
            COALESCE(d.next_attempt_at::text, 'none'), COALESCE(d.last_error, 'none')), '')
            FROM deliveries d WHERE d.event_id = m.id), '; no delivery') AS line
     FROM unnest($1::uuid[]) AS m(id) LEFT JOIN events e ON e.id = m.id`,
    [ids.slice(0, SHOWN)],
  );
  return rows.map(({ line }) => line);
}
