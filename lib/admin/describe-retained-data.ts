import type { Config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { findOldestRows } from '@/lib/retention/figures/oldest-rows';
import { estimateRows } from '@/lib/retention/figures/table-rows';
import { expiryOf } from '@/lib/retention/jobs/run-times';
import { listRules } from '@/lib/retention/list-rules';
import { findTableHistory } from '@/lib/retention/recorded-runs';
import { evaluateRetention } from '@/lib/retention/retention-warning-policy';
import type { DataClass, RetentionRun } from '@/lib/retention/schema';
import { countDeadOutbox, selectRemovedRows } from './retained-data-sql';
import type { PartitionedTable, RetainedData } from './schema';

const TABLES = ['delivery_attempts', 'events', 'incoming_events', 'outbox', 'tunnel_request_log'] as const;
type RetainedTable = (typeof TABLES)[number];

const TABLE_OF: Record<DataClass, RetainedTable> = {
  succeededAttempts: 'delivery_attempts',
  failedAttempts: 'delivery_attempts',
  attemptsPerDelivery: 'delivery_attempts',
  events: 'events',
  incomingEvents: 'incoming_events',
  deadOutbox: 'outbox',
  tunnelRequests: 'tunnel_request_log',
};

/** The classes that have a partitioned table of their own. */
const BRANCH_OF: Partial<Record<DataClass, string>> = {
  succeededAttempts: 'delivery_attempts_succeeded',
  failedAttempts: 'delivery_attempts_failed',
  tunnelRequests: 'tunnel_request_log',
};

/** Describes every class of data: its rule, its size, and what retention has removed. */
export async function describeRetainedData(
  settings: Config,
  now: Date,
  partitioned: readonly PartitionedTable[],
  lastRuns: readonly RetentionRun[],
): Promise<RetainedData[]> {
  const [estimates, oldest, removed, dead, history] = await Promise.all([
    estimateRows(TABLES),
    findOldestRows(),
    readRemovedRows(),
    countDeadOutbox.first(database()),
    findTableHistory(now),
  ]);
  return listRules(settings).map((rule) => {
    const [table, isCap] = [TABLE_OF[rule.data], rule.data === 'attemptsPerDelivery'];
    const estimate = estimates.find((candidate) => candidate.table === table);
    const branch = partitioned.find((candidate) => candidate.table === BRANCH_OF[rule.data]);
    const oldestAt = rule.data === 'attemptsPerDelivery' ? null : oldest[rule.data];
    const rowsOfTable = { rows: estimate?.rows ?? 0, bytes: estimate?.bytes ?? 0 };
    const own = branch === undefined ? rowsOfTable : sumOf(branch);
    return {
      ...rule,
      table,
      estimatedRows: isCap ? null : rule.data === 'deadOutbox' ? (dead?.rows ?? 0) : own.rows,
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
