import { setTimeout as sleep } from 'node:timers/promises';
import { database } from '@/lib/platform/db';
import { FEW_TRIES, isStillHeld, yieldingTransaction } from '@/lib/platform/yielding-transaction';
import { deliveriesBatch, type PurgeBatch, tableBatch } from './purge-batches';

/** How far a removal may go now. */
export interface PurgePace {
  /** By performance.now(). */
  endsAt: number;
  /** Waits as long after each batch as it took, so that live work always has the database at least half of the time. */
  isPaced: boolean;
  signal?: AbortSignal;
}

/** `in_use`: somebody still holds a row; worth another try, but not at once. */
export type PurgeResult = 'gone' | 'out_of_time' | 'in_use';

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/*
 * In this order: a fan-out that was under way when the project was deleted holds its rows of the outbox, so that once those
 * are gone no further delivery can appear. An event takes its deliveries along, so attempts must have left with them
 * before. Then what deliveries and each other's rows point at.
 */
const STEPS: readonly [table: string, batch: PurgeBatch][] = [
  ['outbox', tableBatch('outbox', 'waits')],
  ['deliveries', deliveriesBatch],
  ['events', tableBatch('events', 'skips')],
  ['incoming_events', tableBatch('incoming_events', 'skips')],
  ['subscriptions', tableBatch('subscriptions', 'skips')],
  ['endpoints', tableBatch('endpoints', 'skips')],
  ['destinations', tableBatch('destinations', 'skips')],
  ['sources', tableBatch('sources', 'skips')],
  ['tunnels', tableBatch('tunnels', 'skips')],
  ['tunnel_request_log', tableBatch('tunnel_request_log', 'skips')],
  ['api_keys', tableBatch('api_keys', 'skips')],
];

/**
 * Removes a deleted project with everything in it, in batches, each a transaction of its own: what is interrupted goes on
 * where it was, and any number of processes may do it at once. A project that is not deleted is left alone.
 */
export async function purgeProject(projectId: string, pace: PurgePace): Promise<PurgeResult> {
  if (!(await isDeleted(projectId))) return 'gone';
  try {
    for (const [table, batch] of STEPS) {
      if (!(await emptyTable(projectId, batch, pace))) return 'out_of_time';
      const left = await database().query(`SELECT FROM ${table} WHERE project_id = $1 LIMIT 1`, [projectId]);
      if (left.rowCount !== 0) return 'in_use';
    }
    await yieldingTransaction((tx) => tx.query('DELETE FROM projects WHERE id = $1', [projectId]), FEW_TRIES);
    return 'gone';
  } catch (error) {
    if (isStillHeld(error)) return 'in_use';
    throw error;
  }
}

async function isDeleted(projectId: string): Promise<boolean> {
  const { rowCount } = await database().query(
    `SELECT FROM projects p JOIN organizations o ON o.id = p.organization_id
     WHERE p.id = $1 AND (p.deleted_at IS NOT NULL OR o.deleted_at IS NOT NULL)`,
    [projectId],
  );
  return rowCount === 1;
}

/** @returns false when time ran out before the end of the table */
async function emptyTable(projectId: string, batch: PurgeBatch, pace: PurgePace): Promise<boolean> {
  for (let aboveId = LOWEST_ID; ; ) {
    if (performance.now() >= pace.endsAt || pace.signal?.aborted === true) return false;
    const startedAt = performance.now();
    const lastId = await yieldingTransaction((tx) => batch(tx, projectId, aboveId), FEW_TRIES);
    if (lastId === null) return true;
    // From here on and not from the start: deleted rows stay in the index while anyone might still see them.
    aboveId = lastId;
    if (pace.isPaced) await rest(performance.now() - startedAt, pace.signal);
  }
}

async function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
