import type { SharedCounter } from '@/lib/platform/shared-counters';
import { CLEANED_TABLES, RETENTION_JOBS } from '@/lib/retention/jobs/job-run';

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
