import type { Delivery } from '@/lib/delivery/schema';
import type { DeliveryRow } from './deliveries-sql';

/** Converts a row to a delivery of the API. */
export function presentDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    status: row.status,
    eventId: row.event_id,
    incomingEventId: row.incoming_event_id,
    eventType: row.event_type,
    endpointId: row.endpoint_id,
    destinationId: row.destination_id,
    targetUrl: row.target_url,
    sourceId: row.source_id,
    attemptCount: row.attempt_count,
    storedAttempts: row.stored_attempts,
    nextAttemptAt: row.status === 'PENDING' ? (row.next_attempt_at?.toISOString() ?? null) : null,
    lastAttemptAt: row.last_attempt_at?.toISOString() ?? null,
    lastResponseStatus: row.last_response_status,
    lastError: row.last_error,
    completedAt: row.completed_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}
