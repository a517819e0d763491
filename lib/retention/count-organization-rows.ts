import { database } from '@/lib/platform/db';

/** Counting stops here: an organization may have hundreds of millions of rows. */
const COUNTED_ROWS = 100_000;

export interface CountedRows {
  rows: number;
  /** The sum of `summed`. */
  sum: number;
  /** Counting stopped at the limit: there are at least so many rows. */
  isAtLeast: boolean;
}

interface CountOptions {
  /** SQL: a column of the table, or an expression. */
  summed?: string;
  /** Values for $3 and on in `summed`. */
  values?: readonly unknown[];
  limit?: number;
}

/**
 * Counts an organization's rows and sums an expression over them, project by project through the index. For a single join
 * the planner would scan the table when it knows little about the organization.
 */
export async function countOrganizationRows(
  organizationId: string,
  table: 'events' | 'incoming_events' | 'deliveries' | 'tunnel_request_log',
  { summed = '0', values = [], limit = COUNTED_ROWS }: CountOptions = {},
): Promise<CountedRows> {
  const { rows } = await database().query<{ rows: number; sum: number }>(
    `SELECT count(*)::int AS rows, coalesce(sum(counted.value), 0)::int AS sum
     FROM (SELECT x.value FROM projects p
           CROSS JOIN LATERAL (SELECT ${summed} AS value FROM ${table} WHERE project_id = p.id LIMIT $2) x
           WHERE p.organization_id = $1 LIMIT $2) counted`,
    [organizationId, limit, ...values],
  );
  const found = rows[0] ?? { rows: 0, sum: 0 };
  return { ...found, isAtLeast: found.rows === limit };
}
