import type { Sql } from '@/lib/platform/db';
import { findReplayedEndpoint, MAX_COMPARED, type ReplayedEndpoint } from './replayed-events-sql';

/** Reads the one endpoint of a replay; as deleted when there is none. */
export async function readEndpoint(sql: Sql, projectId: string, endpointId: string): Promise<ReplayedEndpoint> {
  const row = await findReplayedEndpoint.first(sql, { project: projectId, endpoint: endpointId });
  const patterns = row?.patterns ?? [];
  return {
    id: endpointId,
    enabled: row?.enabled ?? false,
    isDeleted: row?.is_deleted ?? true,
    customerId: row?.customer_id ?? null,
    receivesCustomerEvents: row?.receives_customer_events ?? false,
    patterns: patterns.length > MAX_COMPARED ? null : patterns,
  };
}
