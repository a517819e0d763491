import { knownCells } from '@/lib/platform/cells/current-cell';
import { DAY_MS, SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { setGauge, setLabelledGauge } from '@/lib/platform/metrics';
import type { Collector } from '@/lib/platform/metrics-collectors';
import { readFigures } from '@/lib/platform/read-figures';
import type { SharedCounter } from '@/lib/platform/shared-counters';
import { CLEANED_TABLES, RETENTION_JOBS } from '@/lib/retention/jobs/job-run';
import { type LastRuns, listLast } from '@/lib/retention/jobs/jobs-sql';
import { CLASSES, listRules } from '@/lib/retention/list-rules';
import { countAllDefaultRows, countDaysAhead } from '@/lib/retention/partitions/list-partitions';
import { DataClass } from '@/lib/retention/schema';
import { estimateRowsByCell, findOldestRows } from './figures';

/** The tables whose rows have their own metric (docs/specification.md#metrics). */
const NAMED_TABLES = ['delivery_attempts', 'events', 'incoming_events'] as const;

/** Returns the label `table` of a class. */
function labelOf(data: DataClass): string {
  const { table, branch } = CLASSES[data];
  return data === 'deadOutbox' ? 'outbox_dead' : (branch ?? table);
}

/**
 * The metrics of retention in /metrics of every web process. They are read from the database and the catalog, so they are
 * the same in every process, and exist while the retention process is down.
 */
export const RETENTION_COLLECTORS: readonly Collector[] = [
  { name: 'retention_runs', collect: collectRuns },
  each('table_rows', collectTableRows),
  each('partition_default_rows', collectDefaultRows),
  each('oldest_rows', collectOldestRows),
  each('partitions_ahead', collectPartitionsAhead),
];

/** Expensive figures are read once in DATA_RETENTION_TABLE_METRICS_INTERVAL_MS. */
function each(name: string, collect: () => Promise<void>): Collector {
  return { name, collect, intervalMs: () => config().DATA_RETENTION_TABLE_METRICS_INTERVAL_MS };
}

async function collectTableRows(): Promise<void> {
  const estimates = await estimateRowsByCell(CLEANED_TABLES);
  const byTable = new Map<(typeof CLEANED_TABLES)[number], number>();
  for (const { table, rows } of estimates) byTable.set(table, (byTable.get(table) ?? 0) + rows);
  for (const table of NAMED_TABLES) {
    setGauge({ name: `${table}_table_rows`, help: `Estimated rows in ${table}` }, byTable.get(table) ?? 0);
    byTable.delete(table);
  }
  const help = 'Estimated rows in the smaller tables that retention cleans';
  setGauge({ name: 'retention_table_rows', help, label: 'table' }, byTable);
  const named = estimates.filter(({ table }) => (NAMED_TABLES as readonly string[]).includes(table));
  setLabelledGauge(
    {
      name: 'cell_table_rows',
      help: 'Estimated rows of the largest tables, by cell, where there are several',
      labelNames: ['cell', 'table'],
    },
    knownCells().length === 1 ? [] : named.map(({ cell, table, rows }) => [{ cell, table }, rows] as const),
  );
  const estimatedHelp = 'When the rows of the tables were last estimated';
  setGauge({ name: 'retention_table_rows_timestamp_seconds', help: estimatedHelp }, Date.now() / SECOND_MS);
}

async function collectDefaultRows(): Promise<void> {
  const counted = await countAllDefaultRows();
  const sum = [...counted.values()].reduce((total, rows) => total + rows, 0);
  const help =
    'Rows in the default partitions, counted; expected to be zero: anything else means a partition was missing';
  setGauge({ name: 'partition_default_rows', help }, sum);
  const byTable = { name: 'retention_partition_default_rows', help: `${help}; by branch`, label: 'table' };
  setGauge(byTable, counted);
}

async function collectOldestRows(): Promise<void> {
  const oldest: Partial<Record<DataClass, Date | null>> = await findOldestRows();
  const figures = labelled((data) => {
    const at = oldest[data] ?? null;
    return at === null ? null : at.getTime() / SECOND_MS;
  });
  const help = 'When the oldest row was created, or died; in daily partitions exact to the day; absent without rows';
  setGauge({ name: 'retention_oldest_row_timestamp_seconds', help, label: 'table' }, figures);
}

async function collectPartitionsAhead(): Promise<void> {
  const help = 'Daily partitions after that of today, without a gap, in the branch that has the fewest';
  setGauge({ name: 'retention_partitions_ahead', help }, await countDaysAhead(new Date()));
}

async function collectRuns(): Promise<void> {
  const days = new Map(listRules(config()).map((rule) => [rule.data, rule.days]));
  const windows = labelled((data) => {
    const kept = days.get(data) ?? null;
    return kept === null ? null : (kept * DAY_MS) / SECOND_MS;
  });
  const label = 'table';
  setGauge({ name: 'retention_window_seconds', help: 'How long rows are kept', label }, windows);
  const runs = await readFigures(listLast, { jobs: RETENTION_JOBS });
  const show = (name: string, help: string, figureOf: (run: LastRuns) => number | null) => {
    const shown = runs.flatMap((run) => {
      const figure = figureOf(run);
      return figure === null ? [] : [[run.job, figure] as const];
    });
    setGauge({ name, help, label: 'retention_job' }, shown);
  };
  const secondsOf = (at: Date | null) => (at === null ? null : at.getTime() / SECOND_MS);
  show('retention_last_run_timestamp_seconds', 'When the last run of a job began', (run) => secondsOf(run.started_at));
  show('retention_last_success_timestamp_seconds', 'When the last run of a job that succeeded ended', (run) =>
    secondsOf(run.good_ended_at),
  );
  show(
    'retention_last_run_duration_seconds',
    'How long the last run of a job took that has ended',
    (run) => run.seconds,
  );
}

/** Returns the classes that have a figure, by their label `table`. */
function labelled(figureOf: (data: DataClass) => number | null): (readonly [string, number])[] {
  return DataClass.options.flatMap((data) => {
    const figure = figureOf(data);
    return figure === null ? [] : [[labelOf(data), figure] as const];
  });
}

const REMOVED = 'retention_rows_removed_total';

const removedFrom = (table: (typeof CLEANED_TABLES)[number]): SharedCounter => ({
  name: `${table}_cleanup_total`,
  help: `Rows that retention has removed from ${table}, in any way`,
  of: { name: REMOVED, label: table },
});

/** The counters of retention as /metrics shows them. Those of docs/specification.md#metrics have no labels. */
export const RETENTION_COUNTERS: readonly SharedCounter[] = [
  removedFrom('delivery_attempts'),
  removedFrom('events'),
  removedFrom('incoming_events'),
  { name: 'partition_dropped_total', help: 'Partitions dropped because their entire day had expired' },
  { name: 'partition_created_total', help: 'Partitions made, ahead of time or for rows of a default partition' },
  {
    name: REMOVED,
    help: 'Rows that retention has removed, in any way, by table',
    label: 'table',
    labelValues: CLEANED_TABLES,
  },
  {
    name: 'retention_run_failures_total',
    help: 'Runs of retention that failed or were broken off',
    // Not "job": Prometheus uses that name for its scrape targets and would rename ours to exported_job.
    label: 'retention_job',
    labelValues: RETENTION_JOBS,
  },
];
