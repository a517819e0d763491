import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout, type Transaction } from '@/lib/platform/db';
import { countDone, type JobRun, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { runInBatches } from './batches';
import { IdList } from './id-list';

/** How a session has ended: each by its own index, and none is in both. It is over at that moment: nothing reads it afterwards. */
const WAYS = [
  { column: 'expires_at', where: 'expires_at <= $1' },
  { column: 'closed_at', where: 'closed_at <= $1 AND expires_at > $1' },
] as const;
type Way = (typeof WAYS)[number];

/** Sessions that are locked, as an array of PostgreSQL's, and the time at which the last of them ended. */
interface Met {
  ids: string | null;
  last_time: string | null;
}
/** The last session that was met, in the order of a way. */
const NONE_MET = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** $1 ended until, $2 and $3 the last one met before, $4 limit. */
const lockSql = ({ column, where }: Way) => `
  WITH met AS MATERIALIZED (
    SELECT ${column} AS time, id FROM sessions
    WHERE ${where} AND (${column}, id) > ($2::timestamptz, $3::uuid)
    ORDER BY ${column}, id LIMIT $4 FOR UPDATE SKIP LOCKED)
  SELECT array_agg(id ORDER BY time, id)::text AS ids, max(time)::text AS last_time FROM met`;
const DELETE_TOKENS_SQL = `
  DELETE FROM refresh_tokens WHERE id = ANY(ARRAY(
    SELECT id FROM refresh_tokens WHERE session_id = ANY(ARRAY(SELECT unnest($1::uuid[]))) LIMIT $2
    FOR UPDATE SKIP LOCKED))`;
const DELETE_SESSIONS_SQL = `
  DELETE FROM sessions s WHERE id = ANY(ARRAY(SELECT unnest($1::uuid[])))
    AND NOT EXISTS (SELECT FROM refresh_tokens r WHERE r.session_id = s.id)`;

/**
 * Removes sessions that have ended, after their refresh tokens: a month of one may hold thousands. Tokens of a session
 * that lives all stay, spent and expired ones too, since by them a theft is found out.
 *
 * A refresh locks its token before the session, so a token that is held keeps its session until the next run: waiting for
 * it here, or letting the foreign key do so, would be a deadlock. A run meets it once and goes on behind it, else those that
 * are held would fill a batch and keep all others.
 */
export async function deleteEndedSessions(run: JobRun): Promise<void> {
  for (const way of WAYS) {
    let last = NONE_MET;
    await runInBatches(run, async (tx, limit) => {
      const { rows } = await tx.query<Met>(lockSql(way), [run.now, last.time, last.id, limit]);
      const { ids: text = null, last_time: time = null } = rows[0] ?? {};
      const ids = new IdList(text);
      const tokens = await deleteSessions(tx, run, ids, limit);
      // As many as a batch may remove: there may be more of the same sessions.
      if (tokens === limit) return true;
      last = { time: time ?? last.time, id: ids.at(-1) ?? last.id };
      return ids.length === limit;
    });
  }
}

/** Removes tokens, up to `limit`, and those of the sessions that have none any more. @returns how many tokens */
async function deleteSessions(tx: Transaction, run: JobRun, ids: IdList, limit: number): Promise<number> {
  if (ids.length === 0) return 0;
  const tokens = (await tx.query(DELETE_TOKENS_SQL, [ids.text, limit])).rowCount ?? 0;
  const sessions = (await tx.query(DELETE_SESSIONS_SQL, [ids.text])).rowCount ?? 0;
  await countDone(tx, run, { rows: { refresh_tokens: tokens, sessions } });
  return tokens;
}

/** What that would remove now. */
export async function countEndedSessions(run: JobRun): Promise<RowsByTable> {
  const { rows } = await sqlWithTimeout(LONG_STATEMENT_MS).query<{ sessions: number; tokens: number }>(
    `WITH ended AS MATERIALIZED (SELECT id FROM sessions WHERE expires_at <= $1 OR closed_at <= $1)
     SELECT (SELECT count(*)::int FROM ended) AS sessions,
            (SELECT count(*)::int FROM refresh_tokens r JOIN ended ON ended.id = r.session_id) AS tokens`,
    [run.now],
  );
  return { sessions: rows[0]?.sessions ?? 0, refresh_tokens: rows[0]?.tokens ?? 0 };
}
