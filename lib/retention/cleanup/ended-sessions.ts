import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { type SqlTransaction, sqlWithTimeout } from '@/lib/platform/db';
import { countBatchResult, type JobRun, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { runInBatches } from './batches';
import { countEnded, deleteSessions, deleteTokens, lockEndedSessions, type SessionCursor } from './ended-sessions-sql';

const START: SessionCursor = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/**
 * Removes ended sessions after their refresh tokens: a session of a month may have thousands. All tokens of a live session
 * stay, spent and expired ones too, since a spent token reveals a theft.
 *
 * A refresh locks its token before the session, so a session whose token is held stays until the next run: to wait for it
 * here, or to let the foreign key wait, would be a deadlock. The cursor moves past held sessions, because they would
 * otherwise fill a batch and keep the others.
 */
export async function deleteEndedSessions(run: JobRun): Promise<void> {
  for (const lockEnded of lockEndedSessions) {
    let cursor = START;
    await runInBatches(run, async (tx, limit) => {
      const ended = await lockEnded.one(tx, run.now, cursor.time, cursor.id, limit);
      if (ended.cursor === null) return false;
      const tokens = await deleteWithTokens(tx, run, ended.ids, limit);
      // As many as a batch may remove: the same sessions may have more.
      if (tokens === limit) return true;
      cursor = ended.cursor;
      return ended.count === limit;
    });
  }
}

/** Removes up to `limit` tokens, and the sessions that have no token left. @returns how many tokens */
async function deleteWithTokens(tx: SqlTransaction, run: JobRun, ids: string, limit: number): Promise<number> {
  const tokens = await deleteTokens.run(tx, ids, limit);
  const sessions = await deleteSessions.run(tx, ids);
  await countBatchResult(tx, run, { rows: { refresh_tokens: tokens, sessions } });
  return tokens;
}

/** Counts what `deleteEndedSessions` would remove now. */
export async function countEndedSessions(run: JobRun): Promise<RowsByTable> {
  const { sessions, tokens } = await countEnded.one(sqlWithTimeout(LONG_STATEMENT_MS), run.now);
  return { sessions, refresh_tokens: tokens };
}
