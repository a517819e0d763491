import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { type SqlTransaction, sqlWithTimeout } from '@/lib/platform/db';
import { countBatchResult, type JobRun, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { runInBatches } from './batches';
import { countEnded, deleteSessions, deleteTokens, lockEndedSessions, type SessionCursor } from './ended-sessions-sql';

const START: SessionCursor = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/**
 * Removes the refresh tokens of ended sessions, then the sessions: a month-old session may have thousands of tokens. All
 * tokens of a live session stay, including spent and expired ones, since a spent token reveals a theft.
 *
 * A refresh locks its token before the session. To wait for a locked token here would be a deadlock, so its session stays until
 * the next run. The cursor moves past such sessions, because they could otherwise fill every batch.
 */
export async function deleteEndedSessions(run: JobRun): Promise<void> {
  for (const lockEnded of lockEndedSessions) {
    let cursor = START;
    await runInBatches(run, async (tx, limit) => {
      const ended = await lockEnded.one(tx, run.now, cursor.time, cursor.id, limit);
      if (ended.cursor === null) return false;
      const tokens = await deleteWithTokens(tx, run, ended.ids, limit);
      // The batch is full: the same sessions may have more tokens.
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
