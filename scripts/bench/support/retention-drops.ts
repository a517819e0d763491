import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { dropExpiredPartitions } from '@/lib/retention/partitions/drop-partitions';
import { startTestRun } from '@/tests/retention';
import { type Cost, measure } from './measured';
import type { RetentionData } from './retention-data';

const [BATCH_ROWS, FAR_DAYS, KEPT_DAYS] = [1000, 36_500, 90];
const BRANCHES = ['delivery_attempts_succeeded', 'delivery_attempts_failed'];

/** One way of removing a day of attempts, by its cost for each row. */
export interface RemovedDay extends Cost {
  rows: number;
}

/** Each round removes a day in batches without a pause between them, and drops the day after. */
export async function measureDrops(
  data: RetentionData,
  rounds: number,
): Promise<{ deleted: RemovedDay[]; dropped: RemovedDay[] }> {
  const [deleted, dropped]: [RemovedDay[], RemovedDay[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const [first, second] = [0, 1].map((day) => addMs(data.from, (round * 2 + day) * DAY_MS)) as [Date, Date];
    deleted.push(await removeDay(first, () => deleteDay(first)));
    for (const table of tablesOf(first)) await database().query(`DROP TABLE ${table}`);
    dropped.push(await removeDay(second, () => dropUntil(addMs(second, DAY_MS))));
    if ((await countRows(second)) > 0) throw new Error(`the day ${second.toISOString()} is still there`);
  }
  return { deleted, dropped };
}

async function removeDay(day: Date, work: () => Promise<unknown>): Promise<RemovedDay> {
  const rows = await countRows(day);
  return { rows, ...(await measure(work)) };
}

async function deleteDay(day: Date): Promise<void> {
  for (const table of tablesOf(day)) {
    const text = `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} LIMIT ${BATCH_ROWS}))`;
    while (((await database().query(text)).rowCount ?? 0) > 0);
  }
}

/** As `main` does on the day on which everything before `end` has expired. */
async function dropUntil(end: Date): Promise<void> {
  const run = await startTestRun({
    now: addMs(end, KEPT_DAYS * DAY_MS),
    policy: { failedAttemptsDays: KEPT_DAYS, succeededAttemptsDays: KEPT_DAYS, tunnelLogDays: FAR_DAYS },
  });
  await dropExpiredPartitions.clean(run);
}

async function countRows(day: Date): Promise<number> {
  const { rows } = await database().query<{ count: number }>(
    'SELECT count(*)::int AS count FROM delivery_attempts WHERE created_at >= $1 AND created_at < $2',
    [day, addMs(day, DAY_MS)],
  );
  return rows[0]?.count ?? 0;
}

function tablesOf(day: Date): string[] {
  const suffix = day.toISOString().slice(0, 10).replaceAll('-', '');
  return BRANCHES.map((branch) => `partitions.${branch}_p${suffix}`);
}
