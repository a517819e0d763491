import { database } from '@/lib/platform/db';
import { countDone, type JobRun, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { runInBatches } from './batches';

/** A session is over the moment it expires or is closed: nothing reads it afterwards. */
const ENDED = '(expires_at <= $1 OR closed_at <= $1)';

const LOCK_SQL = `SELECT id FROM sessions WHERE ${ENDED} LIMIT $2 FOR UPDATE SKIP LOCKED`;
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
 * it here, or letting the foreign key do so, would be a deadlock.
 */
export async function deleteEndedSessions(run: JobRun): Promise<void> {
  await runInBatches(run, async (tx, limit) => {
    const ids = (await tx.query<{ id: string }>(LOCK_SQL, [run.now, limit])).rows.map(({ id }) => id);
    if (ids.length === 0) return false;
    const tokens = (await tx.query(DELETE_TOKENS_SQL, [ids, limit])).rowCount ?? 0;
    const sessions = (await tx.query(DELETE_SESSIONS_SQL, [ids])).rowCount ?? 0;
    await countDone(tx, run, { rows: { refresh_tokens: tokens, sessions } });
    return sessions > 0 ? ids.length === limit || sessions < ids.length : tokens > 0;
  });
}

/** What that would remove now. */
export async function countEndedSessions(run: JobRun): Promise<RowsByTable> {
  const { rows } = await database().query<{ sessions: number; tokens: number }>(
    `WITH ended AS MATERIALIZED (SELECT id FROM sessions WHERE ${ENDED})
     SELECT (SELECT count(*)::int FROM ended) AS sessions,
            (SELECT count(*)::int FROM refresh_tokens r JOIN ended ON ended.id = r.session_id) AS tokens`,
    [run.now],
  );
  return { sessions: rows[0]?.sessions ?? 0, refresh_tokens: rows[0]?.tokens ?? 0 };
}
