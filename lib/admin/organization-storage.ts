import { countDeliveriesWithAttempts, countOrganizationRows } from '@/lib/retention/own-data';
import { estimateTableSizes, type GrowingTable } from './get-stats';
import type { StoredRows } from './schema';

const KINDS: readonly { kind: StoredRows['kind']; table: GrowingTable }[] = [
  { kind: 'events', table: 'events' },
  { kind: 'incomingEvents', table: 'incoming_events' },
  { kind: 'deliveries', table: 'deliveries' },
  { kind: 'attempts', table: 'delivery_attempts' },
];

/**
 * Estimates what an organization stores of each kind. Rows are counted up to a limit; attempts and bytes are estimates.
 */
export async function estimateStorage(organizationId: string): Promise<StoredRows[]> {
  const [events, incomingEvents, deliveries, sizes] = await Promise.all([
    countOrganizationRows(organizationId, 'events'),
    countOrganizationRows(organizationId, 'incoming_events'),
    countDeliveriesWithAttempts(organizationId, new Date()),
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
    const { rows, isAtLeast } = counted[kind];
    return { kind, rows, isAtLeast, estimatedBytes: Math.round(rows * bytesPerRow) };
  });
}
