import { database } from '@/lib/platform/db';
import type { StoredRows } from './schema';
import { estimateTableSizes, type GrowingTable } from './table-sizes';

/** Counting goes no further: an organization may have stored hundreds of millions of rows. */
export const COUNTED_ROWS = 100_000;

const KINDS: readonly { kind: StoredRows['kind']; table: GrowingTable }[] = [
  { kind: 'events', table: 'events' },
  { kind: 'incomingEvents', table: 'incoming_events' },
  { kind: 'deliveries', table: 'deliveries' },
  { kind: 'attempts', table: 'delivery_attempts' },
];

/** What an organization has stored of each kind, counted up to a bound, and an estimate of the room it takes. */
export async function estimateStorage(organizationId: string): Promise<StoredRows[]> {
  const [events, incomingEvents, deliveries, sizes] = await Promise.all([
    countRows(organizationId, 'events'),
    countRows(organizationId, 'incoming_events'),
    countRows(organizationId, 'deliveries', 'stored_attempts'),
    estimateTableSizes(KINDS.map(({ table }) => table)),
  ]);
  const counted: Record<StoredRows['kind'], { rows: number; isAtLeast: boolean }> = {
    events,
    incomingEvents,
    deliveries,
    attempts: { rows: deliveries.sum, isAtLeast: deliveries.isAtLeast },
  };
  return KINDS.map(({ kind, table }) => {
    const size = sizes.find((candidate) => candidate.table === table);
    const bytesPerRow = size === undefined || size.estimatedRows === 0 ? 0 : size.sizeBytes / size.estimatedRows;
    return { kind, ...counted[kind], estimatedBytes: Math.round(counted[kind].rows * bytesPerRow) };
  });
}

/**
 * Counts rows project by project over the index of each, and sums a column of them. One join of all would be taken for a
 * scan of the table where the planner knows little of an organization.
 */
async function countRows(
  organizationId: string,
  table: 'events' | 'incoming_events' | 'deliveries',
  summed = '0',
): Promise<{ rows: number; sum: number; isAtLeast: boolean }> {
  const { rows } = await database().query<{ rows: number; sum: number }>(
    `SELECT count(*)::int AS rows, coalesce(sum(counted.value), 0)::int AS sum
     FROM (SELECT x.value FROM projects p
           CROSS JOIN LATERAL (SELECT ${summed} AS value FROM ${table} WHERE project_id = p.id LIMIT $2) x
           WHERE p.organization_id = $1 LIMIT $2) counted`,
    [organizationId, COUNTED_ROWS],
  );
  const found = rows[0] ?? { rows: 0, sum: 0 };
  return { ...found, isAtLeast: found.rows === COUNTED_ROWS };
}
