import type { Attempt, Delivery, FanOutStatus, ListDeliveriesQuery } from '@/lib/delivery/schema';
import { addMs } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { lowestIdAt } from '@/lib/platform/ids';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import type { DeliveryAttempt as AttemptRow } from '@/lib/platform/prisma/generated/client';
import { findDelivery, findOutboxStatus, selectDeliveries, selectDeliveriesOfEvent } from './deliveries-sql';
import { presentDelivery } from './present-delivery';

/** Lists the deliveries of a project, newest first. Ids start with the time of their event, so `from` and `to` compare that. */
export async function listDeliveries(projectId: string, query: ListDeliveriesQuery): Promise<Listing<Delivery>> {
  const rows = await selectDeliveries.all(
    database(),
    projectId,
    query.cursor ?? null,
    query.status ?? null,
    query.endpointId ?? null,
    query.eventId ?? null,
    query.destinationId ?? null,
    query.incomingEventId ?? null,
    query.from === undefined ? null : lowestIdAt(query.from),
    query.to === undefined ? null : lowestIdAt(addMs(query.to, 1)),
    query.limit + 1,
  );
  return toListing(rows, query.limit, presentDelivery);
}

/** Reads the deliveries of one event without pages: there is one for each endpoint. */
export async function getFanOut(
  projectId: string,
  eventId: string,
): Promise<{ fanOutStatus: FanOutStatus; deliveries: Delivery[] }> {
  // In this order: once the outbox row is gone, the deliveries are complete.
  const queued = await findOutboxStatus.first(database(), projectId, eventId);
  const rows = await selectDeliveriesOfEvent.all(database(), projectId, eventId);
  return { fanOutStatus: queued?.status ?? 'COMPLETED', deliveries: rows.map(presentDelivery) };
}

/** Reads a delivery of a project and counts its attempts. @throws AppError not_found */
export async function getDelivery(projectId: string, deliveryId: string): Promise<Delivery> {
  const row = await findDelivery.first(database(), projectId, deliveryId);
  if (row === undefined) throw notFound('delivery');
  return presentDelivery({ ...row, stored_attempts: row.counted_attempts });
}

/** Lists the stored attempts of a delivery, newest first. @throws AppError not_found */
export async function listAttempts(projectId: string, deliveryId: string, page: Page): Promise<Listing<Attempt>> {
  const found = await prisma().delivery.count({ where: { id: deliveryId, projectId } });
  if (found === 0) throw notFound('delivery');
  const rows = await prisma().deliveryAttempt.findMany({
    where: { deliveryId, projectId, ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
  return toListing(rows, page.limit, presentAttempt);
}

function presentAttempt(row: AttemptRow): Attempt {
  return {
    id: row.id,
    attemptNumber: row.attemptNumber,
    startedAt: row.startedAt.toISOString(),
    durationMs: row.durationMs,
    responseStatus: row.responseStatus,
    responseBody: row.responseBody,
    error: row.error,
    succeeded: row.succeeded,
  };
}
