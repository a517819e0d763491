import { addMs, DAY_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { patientSql } from '@/lib/platform/db';
import type { JobRun } from '@/lib/retention/jobs/job-run';
import { deleteExpiredRows } from '@/lib/retention/partitions/delete-expired-rows';
import { dropExpiredPartitions } from '@/lib/retention/partitions/drop-partitions';
import type { RetentionPolicy } from '@/lib/retention/retention-policy';
import { startTestRun } from '@/tests/retention';
import { evictTables } from './evict-tables';
import { type Cost, measure } from './measured';
import type { RetentionData } from './retention-data';

const [BATCH_ROWS, FAR_DAYS, KEPT_DAYS] = [1000, 36_500, 90];
const BRANCHES = ['delivery_attempts_succeeded', 'delivery_attempts_failed'];

/** One way of removing a day of attempts, by its cost for each row. */
export interface RemovedDay extends Cost {
  rows: number;
}

/** Ways to remove a day of attempts, each once in every round. */
export interface MeasuredDrops {
  /** In batches, as retention does where partitions are none of its business; its pauses do not count. */
  deleted: RemovedDay[];
  /** By a bare DELETE in batches without a pause, which counts nothing. */
  bare: RemovedDay[];
  dropped: RemovedDay[];
  /** Dropped while the system held its files in memory, all of which is then to be freed. */
  droppedFromMemory: RemovedDay[];
}

/**
 * Days that expire were written weeks before, and lie on the disk: so the system is made to forget them before each but the
 * last of a round.
 */
export async function measureDrops(data: RetentionData, dataDir: string, rounds: number): Promise<MeasuredDrops> {
  const drops: MeasuredDrops = { deleted: [], bare: [], dropped: [], droppedFromMemory: [] };
  let day = data.from;
  const remove = async (prepare: DayWork<Work>, isOnDisk = true) => {
    const [rows, work] = [await countRows(day), await prepare(day)];
    if (isOnDisk) await evictTables(dataDir, tablesOf(day));
    const cost = await measure(work);
    if ((await countRows(day)) > 0) throw new Error(`the day ${day.toISOString()} is still there`);
    for (const table of tablesOf(day)) await patientSql(LONG_STATEMENT_MS).query(`DROP TABLE IF EXISTS ${table}`);
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
      while (((await patientSql(LONG_STATEMENT_MS).query(text)).rowCount ?? 0) > 0);
    }
  };
}

async function prepareDelete(day: Date): Promise<Work> {
  const run = await startRun(addMs(day, DAY_MS - 1), { maintainsPartitions: false });
  return () => deleteExpiredRows.clean(run);
}

/** As `main` does on the day on which everything of this day has expired. */
async function prepareDrop(day: Date): Promise<Work> {
  const run = await startRun(addMs(day, DAY_MS), { maintainsPartitions: true });
  return () => dropExpiredPartitions.clean(run);
}

/** When all that was made up to `until` has expired. */
function startRun(until: Date, policy: Partial<RetentionPolicy>): Promise<JobRun> {
  const days = { failedAttemptsDays: KEPT_DAYS, succeededAttemptsDays: KEPT_DAYS, tunnelLogDays: FAR_DAYS };
  return startTestRun({ now: addMs(until, KEPT_DAYS * DAY_MS), policy: { ...days, batchSize: BATCH_ROWS, ...policy } });
}

async function countRows(day: Date): Promise<number> {
  const { rows } = await patientSql(LONG_STATEMENT_MS).query<{ count: number }>(
    'SELECT count(*)::int AS count FROM delivery_attempts WHERE created_at >= $1 AND created_at < $2',
    [day, addMs(day, DAY_MS)],
  );
  return rows[0]?.count ?? 0;
}

function tablesOf(day: Date): string[] {
  const suffix = day.toISOString().slice(0, 10).replaceAll('-', '');
  return BRANCHES.map((branch) => `partitions.${branch}_p${suffix}`);
}
