import type { OperatorCaller } from '@/lib/audit/caller';
import { addMs, type Clock } from '@/lib/platform/clock';
import { type Config, config } from '@/lib/platform/config/config';
import { database, storingDatabase } from '@/lib/platform/db';
import { readInEachCell } from '@/lib/platform/read-figures';
import { estimateRows, findOldestRows } from '@/lib/retention/figures/figures';
import { RETENTION_JOBS } from '@/lib/retention/jobs/job-run';
import { findTableHistory, listLastRuns } from '@/lib/retention/jobs/run-record';
import { nextRunAt, scheduleOf } from '@/lib/retention/jobs/schedule';
import { CLASSES, expiryOf, listRules } from '@/lib/retention/list-rules';
import { countDefaultRows, type ListedDay, measureDaysOfCells } from '@/lib/retention/partitions/list-partitions';
import { BRANCHES, type Branch, hasFullyExpired, utcDayOf } from '@/lib/retention/partitions/partitions';
import { policyOf } from '@/lib/retention/retention-policy';
import { evaluateRetention } from '@/lib/retention/retention-warning-policy';
import type { DataClass, RetentionRun } from '@/lib/retention/schema';
import type { DayState, JobSchedule, PartitionDay, PartitionedTable, RetainedData, RetentionState } from './schema';
import { countDeadOutbox, measureTable, selectRemovedRows } from './stats-sql';

/** Reads the state of retention: rules, tables, partitions, schedules, and the last run of each job. */
export async function getRetention(_caller: OperatorCaller, clock: Clock): Promise<RetentionState> {
  const settings = config();
  const now = clock();
  const [tables, lastRuns] = await Promise.all([describePartitions(settings, now), listLastRuns()]);
  return {
    partitionMaintenanceEnabled: settings.PARTITION_MAINTENANCE_ENABLED,
    jobs: [...RETENTION_JOBS],
    classes: await describeRetainedData(settings, now, tables, lastRuns),
    tables,
    schedules: RETENTION_JOBS.map((job) => describeSchedule(job, settings, lastRuns, now)),
    lastRuns,
  };
}

function describeSchedule(
  job: JobSchedule['job'],
  settings: Config,
  lastRuns: readonly RetentionRun[],
  now: Date,
): JobSchedule {
  const schedule = scheduleOf(job, settings);
  if (schedule === null) return { job, cron: null, everyMs: null, nextRunAt: null };
  if (typeof schedule === 'string') {
    return { job, cron: schedule, everyMs: null, nextRunAt: nextRunAt(schedule, now)?.toISOString() ?? null };
  }
  const last = lastRuns.find((run) => run.job === job);
  const next = last === undefined ? now : addMs(new Date(last.startedAt), schedule);
  return { job, cron: null, everyMs: schedule, nextRunAt: next > now ? next.toISOString() : null };
}

/** Describes each table that is partitioned by UTC day: its days, and the rows of its default partition. */
function describePartitions(settings: Config, now: Date): Promise<PartitionedTable[]> {
  const policy = policyOf(settings);
  return Promise.all(BRANCHES.map((branch) => describeBranch(branch, branch.daysKept(policy), now)));
}

async function describeBranch(branch: Branch, keptDays: number, now: Date): Promise<PartitionedTable> {
  const [listed, defaultRows, defaultSizeBytes] = await Promise.all([
    measureDaysOfCells(branch),
    countDefaultRows(branch),
    sizeOf(branch.defaultTable),
  ]);
  const days = new Map<string, PartitionDay>();
  for (const partition of listed) {
    const day = utcDayOf(partition.from).from.toISOString().slice(0, 10);
    // A day in several partitions is shown as one.
    const { estimatedRows = 0, sizeBytes = 0 } = days.get(day) ?? {};
    days.set(day, {
      day,
      estimatedRows: estimatedRows + partition.estimatedRows,
      sizeBytes: sizeBytes + partition.sizeBytes,
      state: stateOf(partition, keptDays, now),
    });
  }
  return { table: branch.name, keptDays, defaultRows, defaultSizeBytes, days: [...days.values()].reverse() };
}

async function sizeOf(table: string): Promise<number> {
  const sizes = await readInEachCell(() => measureTable.here().one(storingDatabase(), { table }));
  return sizes.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}

function stateOf(partition: ListedDay, keptDays: number, now: Date): DayState {
  if (partition.from > now) return 'ahead';
  if (utcDayOf(partition.from).to > now) return 'today';
  return hasFullyExpired(partition, now, keptDays) ? 'expired' : 'kept';
}

type RetainedTable = (typeof CLASSES)[DataClass]['table'];
const TABLES = [...new Set(Object.values(CLASSES).map(({ table }) => table))];

/** Describes every class of data: its rule, its size, and what retention has removed. */
async function describeRetainedData(
  settings: Config,
  now: Date,
  partitioned: readonly PartitionedTable[],
  lastRuns: readonly RetentionRun[],
): Promise<RetainedData[]> {
  const [estimates, oldest, removed, dead, history] = await Promise.all([
    estimateRows(TABLES),
    findOldestRows(),
    readRemovedRows(),
    readInEachCell(() => countDeadOutbox.one(database())),
    findTableHistory(now),
  ]);
  return listRules(settings).map((rule) => {
    const { table, branch: branchName } = CLASSES[rule.data];
    const isCap = rule.data === 'attemptsPerDelivery';
    const estimate = estimates.find((candidate) => candidate.table === table);
    const branch = partitioned.find((candidate) => candidate.table === branchName);
    const oldestAt = rule.data === 'attemptsPerDelivery' ? null : oldest[rule.data];
    const rowsOfTable = { rows: estimate?.rows ?? 0, bytes: estimate?.bytes ?? 0 };
    const own = branch === undefined ? rowsOfTable : sumOf(branch);
    return {
      ...rule,
      table,
      estimatedRows: isCap
        ? null
        : rule.data === 'deadOutbox'
          ? dead.reduce((sum, { rows }) => sum + rows, 0)
          : own.rows,
      sizeBytes: isCap ? null : own.bytes,
      oldestAt: oldestAt?.toISOString() ?? null,
      removedRows: removed[table] ?? 0,
      removedByLastRun: removedByLastRun(lastRuns, rule.data, table),
      warning: evaluateRetention(
        {
          rows: rowsOfTable.rows,
          rowsADayAgo: history.rowsADayAgo[table] ?? null,
          removedSince: history.removedSince[table] ?? 0,
          oldestExpiresAt: oldestAt === null ? null : expiryOf(oldestAt, rule),
        },
        now,
      ),
    };
  });
}

function sumOf({ days, defaultRows, defaultSizeBytes }: PartitionedTable): { rows: number; bytes: number } {
  return days.reduce((sum, day) => ({ rows: sum.rows + day.estimatedRows, bytes: sum.bytes + day.sizeBytes }), {
    rows: defaultRows,
    bytes: defaultSizeBytes,
  });
}

function removedByLastRun(runs: readonly RetentionRun[], data: DataClass, table: RetainedTable): number {
  const jobs = data === 'attemptsPerDelivery' ? ['cap'] : ['main', 'burst'];
  const ended = runs.filter(({ job, endedAt }) => jobs.includes(job) && endedAt !== null);
  const last = ended.sort((a, b) => b.startedAt.localeCompare(a.startedAt))[0];
  return last?.rowsRemoved[table] ?? 0;
}

async function readRemovedRows(): Promise<Record<string, number>> {
  const rows = await selectRemovedRows.all(database());
  return Object.fromEntries(rows.map(({ label, value }) => [label, Number(value)]));
}
