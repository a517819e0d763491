import { setTimeout as sleep } from 'node:timers/promises';
import { database } from '@/lib/platform/db';
import { FEW_TRIES, isLockUnavailable, retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { deliveriesBatch, type PurgeBatch, tableBatch } from './purge-batches';

/** How long and how fast a removal may run. */
export interface PurgePace {
  /** On the clock of performance.now(). */
  endsAt: number;
  /** Pauses after each batch for as long as it took, so that live work has the database at least half of the time. */
  isPaced: boolean;
  signal?: AbortSignal;
}

/** `in_use`: another transaction holds a row; try again later. */
export type PurgeResult = 'gone' | 'out_of_time' | 'in_use';

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/*
 * The order matters. A fan-out in progress holds its outbox rows, so once those are deleted, no further delivery can be
 * added. Deleting an event cascades to its deliveries but not to their attempts, so deliveries go first, with their
 * attempts. Then follow the tables that others refer to.
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
 * Removes a deleted project with everything in it. Each batch is a transaction, so an interrupted removal resumes, and
 * several processes may run it at once. A project that is not deleted stays untouched.
 */
export async function purgeProject(projectId: string, pace: PurgePace): Promise<PurgeResult> {
  if (!(await isDeleted(projectId))) return 'gone';
  try {
    for (const [table, batch] of STEPS) {
      if (!(await emptyTable(projectId, batch, pace))) return 'out_of_time';
      const left = await database().query(`SELECT FROM ${table} WHERE project_id = $1 LIMIT 1`, [projectId]);
      if (left.rowCount !== 0) return 'in_use';
    }
    await retryLockedTransaction((tx) => tx.query('DELETE FROM projects WHERE id = $1', [projectId]), FEW_TRIES);
    return 'gone';
  } catch (error) {
    if (isLockUnavailable(error)) return 'in_use';
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
    const lastId = await retryLockedTransaction((tx) => batch(tx, projectId, aboveId), FEW_TRIES);
    if (lastId === null) return true;
    // Continues after the last id: starting over would scan index entries of deleted rows that vacuum has not removed.
    aboveId = lastId;
    if (pace.isPaced) await rest(performance.now() - startedAt, pace.signal);
  }
}

async function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
