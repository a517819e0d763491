import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { BRANCHES, type Branch, type Period } from '@/lib/retention/partitions/partitions';
import { boundsSql } from '@/lib/retention/partitions/partitions-sql';

/** Returns the branch with this name. */
export function branchOf(name: 'succeeded' | 'failed' | 'tunnel_request_log'): Branch {
  const branch = BRANCHES.find((each) => each.name.endsWith(name));
  if (branch === undefined) throw new Error(`unknown branch ${name}`);
  return branch;
}

/** Drops all partitions but the default ones, and empties these. */
export async function dropAllPartitions(): Promise<void> {
  await database().query(`DO $$ DECLARE t text; BEGIN
    FOR t IN SELECT oid::regclass FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname ~ '_p\\d{8}'
    AND relkind = 'r' LOOP EXECUTE 'DROP TABLE ' || t; END LOOP; END $$`);
  await database().query('TRUNCATE delivery_attempts, tunnel_request_log');
}

export interface AttemptOptions {
  succeeded?: boolean;
  count?: number;
  responseBody?: string;
}

/** Inserts attempts of the same time, of deliveries that do not exist. */
export async function insertAttempts(createdAt: Date, options: AttemptOptions = {}): Promise<void> {
  const { succeeded = true, count = 1, responseBody = null } = options;
  await sqlWithTimeout(LONG_STATEMENT_MS).query(
    `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at,
       response_body)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, $2, 5, $3, $2, $5 FROM generate_series(1, $4)`,
    [newId(), createdAt, succeeded, count, responseBody],
  );
}

export async function insertTunnelRequest(createdAt: Date): Promise<void> {
  await database().query(
    `INSERT INTO tunnel_request_log (id, project_id, tunnel_id, method, path, request_size, created_at)
     VALUES ($1, $1, $1, 'GET', '/', 0, $2)`,
    [newId(), createdAt],
  );
}

/** Creates a partition as an operator does by hand. */
export async function addPartition(branch: Branch, name: string, period: Period): Promise<void> {
  await database().query(`CREATE TABLE ${name} PARTITION OF ${branch.table} ${boundsSql(branch, period)}`);
}

/** SQL of the name of the partition that a row is in. Citus stores it in a table whose name ends with a number. */
export const PARTITION_NAME = `regexp_replace(tableoid::regclass::text, '^.*\\.|_[0-9]{6}$', '', 'g')`;

/** Counts rows by the name of their partition. */
export async function countByPartition(table: Branch['table']): Promise<Record<string, number>> {
  const { rows } = await database().query<{ name: string; rows: number }>(
    `SELECT ${PARTITION_NAME} AS name, count(*)::int AS rows FROM ${table} GROUP BY 1 ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
}
