import type { Attempt, Delivery, ListDeliveriesQuery } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { DELIVERY_SQL, type DeliveryRow, presentDelivery } from './present-delivery';

/** Lists the deliveries of a project, newest first. */
export async function listDeliveries(projectId: string, query: ListDeliveriesQuery): Promise<Listing<Delivery>> {
  const { rows } = await database().query<DeliveryRow>(
    `${DELIVERY_SQL}
     WHERE d.project_id = $1
       AND ($2::uuid IS NULL OR d.id < $2)
       AND ($3::"DeliveryStatus" IS NULL OR d.status = $3)
       AND ($4::uuid IS NULL OR d.endpoint_id = $4)
       AND ($5::uuid IS NULL OR d.event_id = $5)
     ORDER BY d.id DESC LIMIT $6`,
    [
      projectId,
      query.cursor ?? null,
      query.status ?? null,
      query.endpointId ?? null,
      query.eventId ?? null,
      query.limit + 1,
    ],
  );
  return toListing(rows, query.limit, presentDelivery);
}

/** Lists the deliveries of one event without pages: there is one for each endpoint. */
export async function listDeliveriesOfEvent(projectId: string, eventId: string): Promise<Delivery[]> {
  const { rows } = await database().query<DeliveryRow>(
    `${DELIVERY_SQL} WHERE d.project_id = $1 AND d.event_id = $2 ORDER BY d.id DESC LIMIT 1000`,
    [projectId, eventId],
  );
  return rows.map(presentDelivery);
}

/** Reads a delivery of a project and counts its attempts. @throws AppError not_found */
export async function getDelivery(projectId: string, deliveryId: string): Promise<Delivery> {
  // Dropping a partition of attempts does not update stored_attempts. One statement, so that both see the same attempts.
  const { rows } = await database().query<DeliveryRow & { counted_attempts: number }>(
    `SELECT found.*, (SELECT count(*)::int FROM delivery_attempts a WHERE a.delivery_id = found.id) AS counted_attempts
     FROM (${DELIVERY_SQL} WHERE d.project_id = $1 AND d.id = $2) found`,
    [projectId, deliveryId],
  );
  const row = rows[0];
  if (row === undefined) throw notFound('delivery');
  return presentDelivery({ ...row, stored_attempts: row.counted_attempts });
}

interface AttemptRow {
  id: string;
  attempt_number: number;
  started_at: Date;
  duration_ms: number;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  succeeded: boolean;
}

/** Lists the stored attempts of a delivery, newest first. @throws AppError not_found */
export async function listAttempts(projectId: string, deliveryId: string, page: Page): Promise<Listing<Attempt>> {
  const found = await database().query('SELECT FROM deliveries WHERE project_id = $1 AND id = $2', [
    projectId,
    deliveryId,
  ]);
  if (found.rowCount === 0) throw notFound('delivery');
  const { rows } = await database().query<AttemptRow>(
    `SELECT id, attempt_number, started_at, duration_ms, response_status, response_body, error, succeeded
     FROM delivery_attempts
     WHERE delivery_id = $2 AND project_id = $1 AND ($3::uuid IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $4`,
    [projectId, deliveryId, page.cursor ?? null, page.limit + 1],
  );
  return toListing(rows, page.limit, presentAttempt);
}

function presentAttempt(row: AttemptRow): Attempt {
  return {
    id: row.id,
    attemptNumber: row.attempt_number,
    startedAt: row.started_at.toISOString(),
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    responseBody: row.response_body,
    error: row.error,
    succeeded: row.succeeded,
  };
}
