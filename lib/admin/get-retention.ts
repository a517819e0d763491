import type { OperatorCaller } from '@/lib/audit/caller';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { BRANCHES, type Branch } from '@/lib/retention/partitions';
import { type PartitionedTable, RETENTION_JOBS, type RetentionRun, type RetentionState } from './schema';
import { ESTIMATED_ROWS } from './table-sizes';

/** What retention has to work with: the partitions there are, and the last run of each job (CONTRACT 6). */
export async function getRetention(_caller: OperatorCaller): Promise<RetentionState> {
  const [tables, lastRuns] = await Promise.all([Promise.all(BRANCHES.map(describeBranch)), listLastRuns()]);
  return {
    partitionMaintenanceEnabled: config().PARTITION_MAINTENANCE_ENABLED,
    jobs: [...RETENTION_JOBS],
    tables,
    lastRuns,
  };
}

async function describeBranch(branch: Branch): Promise<PartitionedTable> {
  const [days, defaults] = await Promise.all([
    database().query<{ day: string; rows: string; bytes: string }>(
      `SELECT to_date(right(c.relname, 8), 'YYYYMMDD')::text AS day, (${ESTIMATED_ROWS})::bigint AS rows,
              pg_total_relation_size(c.oid) AS bytes
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
       WHERE i.inhparent = $1::regclass AND c.relname ~ ('^' || $2 || '\\d{8}$')
       ORDER BY c.relname DESC`,
      [branch.parent, branch.prefix],
    ),
    database().query<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${branch.defaultTable}`),
  ]);
  return {
    table: branch.parent.replace(/^\w+\./, ''),
    defaultRows: defaults.rows[0]?.rows ?? 0,
    days: days.rows.map((row) => ({ day: row.day, estimatedRows: Number(row.rows), sizeBytes: Number(row.bytes) })),
  };
}

interface RunRow {
  job: string;
  started_at: Date;
  ended_at: Date | null;
  rows_removed: Record<string, number>;
  partitions_created: number;
  partitions_dropped: number;
  error: string | null;
}

async function listLastRuns(): Promise<RetentionRun[]> {
  const { rows } = await database().query<RunRow>(
    `SELECT DISTINCT ON (job) job, started_at, ended_at, rows_removed, partitions_created, partitions_dropped, error
     FROM retention_runs ORDER BY job, id DESC`,
  );
  return rows.map((row) => ({
    job: row.job,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    rowsRemoved: row.rows_removed,
    partitionsCreated: row.partitions_created,
    partitionsDropped: row.partitions_dropped,
    error: row.error,
  }));
}
