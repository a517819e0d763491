import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import type { JobRun } from '@/lib/retention/jobs/job-run';
import { deleteExpiredRows } from '@/lib/retention/partitions/delete-expired-rows';
import { dropExpiredPartitions } from '@/lib/retention/partitions/drop-partitions';
import type { RetentionPolicy } from '@/lib/retention/retention-policy';
import { startTestRun } from '@/tests/retention/test-run';
import { type Cost, measure } from './cost';
import type { RetentionData } from './retention-data';

const [BATCH_ROWS, FAR_DAYS, KEPT_DAYS] = [1000, 36_500, 90];
const BRANCHES = ['delivery_attempts_succeeded', 'delivery_attempts_failed'];

/** The cost of removing one day of attempts. */
export interface RemovedDay extends Cost {
  rows: number;
}

/** Ways to remove a day of attempts, each measured once per round. */
interface MeasuredDrops {
  /** By retention in batches, with partition maintenance disabled; without its pauses. */
  deleted: RemovedDay[];
  /** By a plain DELETE in batches without pauses or counters. */
  bare: RemovedDay[];
  dropped: RemovedDay[];
  /** Dropped while the files are in the page cache, which must then be freed. */
  droppedFromMemory: RemovedDay[];
}

/**
 * Measures each way of removal. A day that expires was written weeks ago and is no longer in the page cache, so its files are
 * evicted before every measurement but the last of a round.
 */
export async function measureDrops(data: RetentionData, dataDir: string, rounds: number): Promise<MeasuredDrops> {
  const drops: MeasuredDrops = { deleted: [], bare: [], dropped: [], droppedFromMemory: [] };
  let day = data.from;
  const remove = async (prepare: DayWork<Work>, isOnDisk = true) => {
    const [rows, work] = [await countRows(day), await prepare(day)];
    if (isOnDisk) await evictTables(dataDir, tablesOf(day));
    const cost = await measure(work);
    if ((await countRows(day)) > 0) throw new Error(`the day ${day.toISOString()} still has rows`);
    for (const table of tablesOf(day)) await sqlWithTimeout(LONG_STATEMENT_MS).query(`DROP TABLE IF EXISTS ${table}`);
    day = addMs(day, DAY_MS);
    return { rows, ...cost };
  };
  for (let round = 0; round < rounds; round++) {
    const { busyMs, ...cost } = await remove(prepareDelete);
    drops.deleted.push({ ...cost, busyMs, totalMs: busyMs });
    drops.bare.push(await remove(prepareBareDelete));
    drops.dropped.push(await remove(prepareDrop));
    drops.droppedFromMemory.push(await remove(prepareDrop, false));
  }
  return drops;
}

type Work = () => Promise<unknown>;
type DayWork<T> = (day: Date) => Promise<T>;

async function prepareBareDelete(day: Date): Promise<Work> {
  return async () => {
    for (const table of tablesOf(day)) {
      const text = `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} LIMIT ${BATCH_ROWS}))`;
      while (((await sqlWithTimeout(LONG_STATEMENT_MS).query(text)).rowCount ?? 0) > 0);
    }
  };
}

async function prepareDelete(day: Date): Promise<Work> {
  const run = await startRun(addMs(day, DAY_MS - 1), { maintainsPartitions: false });
  return () => deleteExpiredRows.clean(run);
}

/** As `main` does once all rows of the day have expired. */
async function prepareDrop(day: Date): Promise<Work> {
  const run = await startRun(addMs(day, DAY_MS), { maintainsPartitions: true });
  return () => dropExpiredPartitions.clean(run);
}

/** Starts a run at the time when all rows up to `until` have expired. */
function startRun(until: Date, policy: Partial<RetentionPolicy>): Promise<JobRun> {
  const days = { failedAttemptsDays: KEPT_DAYS, succeededAttemptsDays: KEPT_DAYS, tunnelLogDays: FAR_DAYS };
  return startTestRun({ now: addMs(until, KEPT_DAYS * DAY_MS), policy: { ...days, batchSize: BATCH_ROWS, ...policy } });
}

async function countRows(day: Date): Promise<number> {
  const { rows } = await sqlWithTimeout(LONG_STATEMENT_MS).query<{ count: number }>(
    'SELECT count(*)::int AS count FROM delivery_attempts WHERE created_at >= $1 AND created_at < $2',
    [day, addMs(day, DAY_MS)],
  );
  return rows[0]?.count ?? 0;
}

function tablesOf(day: Date): string[] {
  const suffix = day.toISOString().slice(0, 10).replaceAll('-', '');
  return BRANCHES.map((branch) => `partitions.${branch}_p${suffix}`);
}

/**
 * Evicts tables from the page cache, so that they are read from disk again and deleting their files frees no memory. Uses
 * GNU dd, which calls posix_fadvise.
 *
 * @throws Error without GNU dd
 */
async function evictTables(dataDir: string, tables: readonly string[]): Promise<void> {
  const { rows } = await database().query<{ file: string }>(
    `WITH t AS (SELECT oid, reltoastrelid FROM pg_class WHERE oid = ANY($1::regclass[]))
     SELECT pg_relation_filepath(c.oid) AS file FROM pg_class c
     WHERE c.oid IN (SELECT oid FROM t UNION SELECT reltoastrelid FROM t
       UNION SELECT i.indexrelid FROM pg_index i JOIN t ON i.indrelid IN (t.oid, t.reltoastrelid))`,
    [tables],
  );
  for (const { file } of rows) {
    const absolute = path.join(dataDir, 'postgres', file);
    if (existsSync(absolute)) await evict(absolute);
  }
}

async function evict(file: string): Promise<void> {
  await promisify(execFile)('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none']);
}
