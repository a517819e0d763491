import type { Delivery, DeliveryStatus } from '@/lib/delivery/schema';

export interface DeliveryRow {
  id: string;
  status: DeliveryStatus;
  event_id: string | null;
  incoming_event_id: string | null;
  event_type: string | null;
  endpoint_id: string | null;
  destination_id: string | null;
  attempt_count: number;
  stored_attempts: number;
  next_attempt_at: Date | null;
  last_attempt_at: Date | null;
  last_response_status: number | null;
  last_error: string | null;
  completed_at: Date | null;
  created_at: Date;
}

/** Selects rows for `presentDelivery`. */
export const DELIVERY_SQL = `
  SELECT d.id, d.status, d.event_id, d.incoming_event_id, e.type AS event_type, d.endpoint_id, d.destination_id,
         d.attempt_count, d.stored_attempts, d.next_attempt_at, d.last_attempt_at, d.last_response_status, d.last_error,
         d.completed_at, d.created_at
  FROM deliveries d LEFT JOIN events e ON e.id = d.event_id`;

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
