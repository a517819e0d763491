import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout, type Transaction } from '@/lib/platform/db';
import { countDone, type JobRun, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { runInBatches } from './batches';

/** Sessions end in two ways, each with its own index. No session is in both. */
const WAYS = [
  { column: 'expires_at', where: 'expires_at <= $1' },
  { column: 'closed_at', where: 'closed_at <= $1 AND expires_at > $1' },
] as const;
type Way = (typeof WAYS)[number];

interface LockedSessions {
  count: number;
  /** As PostgreSQL writes an array. */
  ids: string;
  /** The last session of the batch; nulls when there is none. */
  last_time: string | null;
  last_id: string | null;
}

const START = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** $1 ended until, $2 and $3 cursor, $4 limit. */
const lockSql = ({ column, where }: Way) => `
  WITH ended AS MATERIALIZED (
    SELECT ${column} AS time, id FROM sessions
    WHERE ${where} AND (${column}, id) > ($2::timestamptz, $3::uuid)
    ORDER BY ${column}, id LIMIT $4 FOR UPDATE SKIP LOCKED)
  SELECT count(*)::int AS count, ARRAY(SELECT id FROM ended)::text AS ids, max(time)::text AS last_time,
    (SELECT id FROM ended ORDER BY time DESC, id DESC LIMIT 1) AS last_id
  FROM ended`;
const DELETE_TOKENS_SQL = `
  DELETE FROM refresh_tokens WHERE id = ANY(ARRAY(
    SELECT id FROM refresh_tokens WHERE session_id = ANY(ARRAY(SELECT unnest($1::uuid[]))) LIMIT $2
    FOR UPDATE SKIP LOCKED))`;
const DELETE_SESSIONS_SQL = `
  DELETE FROM sessions s WHERE id = ANY(ARRAY(SELECT unnest($1::uuid[])))
    AND NOT EXISTS (SELECT FROM refresh_tokens r WHERE r.session_id = s.id)`;

/**
 * Removes ended sessions after their refresh tokens: a session of a month may have thousands. All tokens of a live session
 * stay, spent and expired ones too, since a spent token reveals a theft.
 *
 * A refresh locks its token before the session, so a session whose token is held stays until the next run: to wait for it
 * here, or to let the foreign key wait, would be a deadlock. The cursor moves past held sessions, because they would
 * otherwise fill a batch and keep the others.
 */
export async function deleteEndedSessions(run: JobRun): Promise<void> {
  for (const way of WAYS) {
    let cursor = START;
    await runInBatches(run, async (tx, limit) => {
      const { rows } = await tx.query<LockedSessions>(lockSql(way), [run.now, cursor.time, cursor.id, limit]);
      const { count = 0, ids = '{}', last_time: time = null, last_id: id = null } = rows[0] ?? {};
      if (time === null || id === null) return false;
      const tokens = await deleteSessions(tx, run, ids, limit);
      // As many as a batch may remove: the same sessions may have more.
      if (tokens === limit) return true;
      cursor = { time, id };
      return count === limit;
    });
  }
}

/** Removes up to `limit` tokens, and the sessions that have no token left. @returns how many tokens */
async function deleteSessions(tx: Transaction, run: JobRun, ids: string, limit: number): Promise<number> {
  const tokens = (await tx.query(DELETE_TOKENS_SQL, [ids, limit])).rowCount ?? 0;
  const sessions = (await tx.query(DELETE_SESSIONS_SQL, [ids])).rowCount ?? 0;
  await countDone(tx, run, { rows: { refresh_tokens: tokens, sessions } });
  return tokens;
}

/** Counts what `deleteEndedSessions` would remove now. */
export async function countEndedSessions(run: JobRun): Promise<RowsByTable> {
  const { rows } = await sqlWithTimeout(LONG_STATEMENT_MS).query<{ sessions: number; tokens: number }>(
    `WITH ended AS MATERIALIZED (SELECT id FROM sessions WHERE expires_at <= $1 OR closed_at <= $1)
     SELECT (SELECT count(*)::int FROM ended) AS sessions,
            (SELECT count(*)::int FROM refresh_tokens r JOIN ended ON ended.id = r.session_id) AS tokens`,
    [run.now],
  );
  return { sessions: rows[0]?.sessions ?? 0, refresh_tokens: rows[0]?.tokens ?? 0 };
}
