import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { type SqlTransaction, sqlWithTimeout } from '@/lib/platform/db';
import { countBatchResult, type JobRun, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { runInBatches } from './batches';
import { END_CONDITIONS, lockEndedSessions, type SessionCursor } from './lock-ended-sessions';

const START: SessionCursor = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

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
  for (const way of END_CONDITIONS) {
    let cursor = START;
    await runInBatches(run, async (tx, limit) => {
      const ended = await lockEndedSessions(tx, way, { until: run.now, cursor, limit });
      if (ended.cursor === null) return false;
      const tokens = await deleteSessions(tx, run, ended.ids, limit);
      // As many as a batch may remove: the same sessions may have more.
      if (tokens === limit) return true;
      cursor = ended.cursor;
      return ended.count === limit;
    });
  }
}

/** Removes up to `limit` tokens, and the sessions that have no token left. @returns how many tokens */
async function deleteSessions(tx: SqlTransaction, run: JobRun, ids: string, limit: number): Promise<number> {
  const tokens = (await tx.query(DELETE_TOKENS_SQL, [ids, limit])).rowCount ?? 0;
  const sessions = (await tx.query(DELETE_SESSIONS_SQL, [ids])).rowCount ?? 0;
  await countBatchResult(tx, run, { rows: { refresh_tokens: tokens, sessions } });
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
