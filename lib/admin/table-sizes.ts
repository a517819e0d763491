import { estimateRows } from '@/lib/retention/figures/table-rows';
import type { TableSize } from './schema';

/** The tables that grow with use. */
export const GROWING_TABLES = [
  'events',
  'incoming_events',
  'deliveries',
  'delivery_attempts',
  'outbox',
  'tunnel_request_log',
  'audit_log',
] as const;
export type GrowingTable = (typeof GROWING_TABLES)[number];

/** Estimates the rows and bytes of each table, including indexes and all partitions. */
export async function estimateTableSizes(tables: readonly GrowingTable[]): Promise<TableSize[]> {
  const estimates = await estimateRows(tables);
  return estimates.map(({ table, rows, bytes }) => ({ table, estimatedRows: rows, sizeBytes: bytes }));
}
