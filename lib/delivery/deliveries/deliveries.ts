import type { ProjectCaller } from '@/lib/audit/caller';
import { presentAttempt, redactorOfAttempt } from '@/lib/delivery/attempts/attempts';
import { SIGNATURE_HEADERS, signatureHeadersOf } from '@/lib/delivery/attempts/redact-signatures';
import { loadMessages } from '@/lib/delivery/engine/messages';
import { type Attempt, Delivery } from '@/lib/delivery/schema';
import type { FanOutStatus } from '@/lib/events/schema';
import { listInTurns, mapInTurns, maySeeSecrets, refuseIfMoved } from '@/lib/orgs/tenant';
import { readHeavily } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { LARGE_ANSWER_BYTES } from '@/lib/platform/large-body';
import { type Listing, newestFirst, type Page, pageToListing } from '@/lib/platform/pagination';
import { inCamelCase, present } from '@/lib/platform/present';
import { prisma } from '@/lib/platform/prisma/client';
import { HIGHEST_ID, type ScannedPage, scanPage } from '@/lib/platform/sql/bounded-scan';
import {
  DELIVERY,
  type DeliveryRow,
  findDelivery,
  findLargeEvent,
  findOutboxStatus,
  makeDue,
  notifyDeliveries,
  selectDeliveriesOfEvent,
} from './deliveries-sql';
import { type DeliveriesFilter, deliveryScan } from './delivery-scan-sql';

/** Lists the deliveries of a project, newest first. */
export async function listDeliveries(projectId: string, query: DeliveriesFilter & Page): Promise<Listing<Delivery>> {
  return pageToListing(await readDeliveries(projectId, query, query), (row) => row);
}

/** Reads a page of the deliveries that match, newest first. */
export async function readDeliveries(
  projectId: string,
  filter: DeliveriesFilter,
  page: Page,
): Promise<ScannedPage<Delivery>> {
  const { rows, next } = await scanPage(database(), deliveryScan(projectId, filter), page, DELIVERY);
  return { rows: rows.map(presentDelivery), next };
}

/** Deliveries of an event that are shown. */
const MAX_FAN_OUT = 1_000;
const READ_AT_ONCE = 100;

/** With so many deliveries, an event is as large as one with much data. */
const MANY_DELIVERIES = 25;

/** Runs work that reads an event with its deliveries. A large one is read when it is its owner's turn, not before. @throws AppError as `readHeavily` */
export async function withEvent<T>(
  { projectId, eventId }: { projectId: string; eventId: string },
  read: () => Promise<T>,
): Promise<T> {
  const of = { project: projectId, event: eventId, bytes: LARGE_ANSWER_BYTES, deliveries: MANY_DELIVERIES };
  return (await findLargeEvent.first(database(), of)) === undefined ? read() : readHeavily(read, 'body');
}

/** Reads the deliveries of one event without pages: there is one for each endpoint. @throws AppError rate_limited when much of the owner waits */
export async function getFanOut(
  caller: ProjectCaller,
  { projectId, eventId }: { projectId: string; eventId: string },
): Promise<{ fanOutStatus: FanOutStatus; deliveries: Delivery[] }> {
  // In this order: once the outbox row is gone, the deliveries are complete.
  const queued = await findOutboxStatus.first(database(), { project: projectId, event: eventId });
  const deliveries: Delivery[] = [];
  for (let before: string | undefined = HIGHEST_ID; before !== undefined && deliveries.length < MAX_FAN_OUT; ) {
    const page = { project: projectId, event: eventId, before, limit: READ_AT_ONCE };
    const rows: DeliveryRow[] = await selectDeliveriesOfEvent.all(database(), page);
    deliveries.push(...(await mapInTurns(caller, projectId, rows, presentDelivery)));
    before = rows[READ_AT_ONCE - 1]?.id;
  }
  return { fanOutStatus: queued?.status ?? 'COMPLETED', deliveries };
}

/** Reads a delivery of a project and counts its attempts. @throws AppError not_found */
export async function getDelivery(projectId: string, deliveryId: string): Promise<Delivery> {
  const row = await findDelivery.first(database(), { project: projectId, delivery: deliveryId });
  if (row === undefined) throw notFound('delivery');
  return presentDelivery({ ...row, stored_attempts: row.counted_attempts });
}

/** Signatures are in headers. */
const NO_BODY = 0;

/** Lists the stored attempts of a delivery, newest first. @throws AppError not_found */
export async function listAttempts(
  caller: ProjectCaller,
  { projectId, deliveryId }: { projectId: string; deliveryId: string },
  page: Page,
): Promise<Listing<Attempt>> {
  const delivery = await prisma().delivery.findFirst({
    where: { id: deliveryId, projectId },
    select: {
      incomingEventId: true,
      destination: { select: { source: { select: SIGNATURE_HEADERS } } },
    },
  });
  if (delivery === null) throw notFound('delivery');
  const { incomingEventId, destination } = delivery;
  const showsSecrets = maySeeSecrets(caller);
  const sources = showsSecrets || incomingEventId === null ? [] : [{ eventId: null, incomingEventId }];
  const [message] = (await loadMessages(database(), sources, NO_BODY)).values();
  const chosen = signatureHeadersOf(destination?.source);
  return listInTurns(caller, projectId, page, {
    read: (some) => prisma().deliveryAttempt.findMany(newestFirst({ deliveryId, projectId }, some)),
    present: (row) => presentAttempt(row, showsSecrets ? null : redactorOfAttempt(row.requestParts, message, chosen)),
  });
}

/** Converts a row to a delivery of the API. */
function presentDelivery(row: DeliveryRow): Delivery {
  const nextAttemptAt = row.status === 'PENDING' ? row.next_attempt_at : null;
  return present(Delivery, { ...inCamelCase(row), nextAttemptAt });
}

/**
 * Makes a delivery due now and restarts its schedule, even after a success (docs/specification.md#deliveries).
 * @throws AppError not_found; conflict when its endpoint or destination is disabled or deleted
 */
export async function retryDelivery(projectId: string, deliveryId: string): Promise<Delivery> {
  const due = await makeDue.first(database(), { project: projectId, delivery: deliveryId });
  if (due !== undefined) await notifyDeliveries.run(database(), { project: projectId, targets: [due.target_id] });
  const delivery = await getDelivery(projectId, deliveryId);
  if (due === undefined) {
    await refuseIfMoved(database(), projectId);
    const target = delivery.endpointId === null ? 'destination' : 'endpoint';
    const detail = `The ${target} of this delivery is disabled or deleted. If it is disabled, enable it and retry.`;
    throw new AppError('conflict', detail);
  }
  return delivery;
}
