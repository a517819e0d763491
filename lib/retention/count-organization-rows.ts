import { database } from '@/lib/platform/db';

/** Counting goes no further: an organization may have stored hundreds of millions of rows. */
const COUNTED_ROWS = 100_000;

export interface CountedRows {
  rows: number;
  /** Of the column that was asked for. */
  sum: number;
  /** Counting stopped at the limit: there are at least so many. */
  isAtLeast: boolean;
}

interface CountOptions {
  /** SQL of a column of the table, or of what follows from several. */
  summed?: string;
  /** What `summed` calls $3 and on. */
  values?: readonly unknown[];
  limit?: number;
}

/**
 * Counts rows of an organization, project by project over the index of each, and sums a column of them. One join of all
 * would be taken for a scan of the table where the planner knows little of an organization.
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
