import type { PortalCaller } from '@/lib/audit/caller';
import { listEvents } from '@/lib/events/queries';
import type { EventTypeSummary } from '@/lib/events/schema';
import { listTypesForReceivers } from '@/lib/events/types/event-types';
import { readHeavily } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import type { Listing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { prisma } from '@/lib/platform/prisma/client';
import { countDeliveriesTo, selectTypesOf } from './portal-sql';
import { type ListPortalEventsQuery, type ListPortalEventTypesQuery, PortalEvent } from './schema';

/*
 * The customer of an endpoint, and so that of its deliveries and subscriptions, never changes. A portal therefore checks once that a row
 * is its customer's, and then does with it what the project does.
 */

const ID = { id: true } as const;

/** @throws AppError not_found when an endpoint is not the customer's. @returns its path in the project */
export async function ownEndpoint(
  { projectId, customerId }: PortalCaller,
  { endpointId }: { endpointId: string },
): Promise<{ projectId: string; endpointId: string }> {
  const where = { id: endpointId, projectId, customerId, deletedAt: null };
  if ((await prisma().endpoint.findFirst({ where, select: ID })) === null) throw notFound('endpoint');
  return { projectId, endpointId };
}

/** @throws AppError not_found when a subscription is not one of this endpoint, or that not the customer's */
export async function ownSubscription(
  { projectId, customerId }: PortalCaller,
  { endpointId, subscriptionId }: { endpointId: string; subscriptionId: string },
): Promise<{ projectId: string; subscriptionId: string }> {
  const where = { id: subscriptionId, projectId, customerId, endpointId };
  if ((await prisma().subscription.findFirst({ where, select: ID })) === null) throw notFound('subscription');
  return { projectId, subscriptionId };
}

/** @throws AppError not_found when a delivery is not the customer's. @returns its path in the project */
export async function ownDelivery<Params extends { deliveryId: string }>(
  { projectId, customerId }: PortalCaller,
  params: Params,
): Promise<Params & { projectId: string }> {
  const where = { id: params.deliveryId, projectId, customerId };
  if ((await prisma().delivery.findFirst({ where, select: ID })) === null) throw notFound('delivery');
  return { ...params, projectId };
}

/** @throws AppError not_found when an event is not the customer's. @returns its path in the project */
export async function ownEvent(
  { projectId, customerId }: PortalCaller,
  { eventId }: { eventId: string },
): Promise<{ projectId: string; eventId: string }> {
  const where = { id: eventId, projectId, customerId };
  if ((await prisma().event.findFirst({ where, select: ID })) === null) throw notFound('event');
  return { projectId, eventId };
}

/** Lists the events of a customer, newest first, with how many of its endpoints each was sent to. */
export async function listEventsOfCustomer(
  { projectId, customerId }: PortalCaller,
  query: ListPortalEventsQuery,
): Promise<Listing<PortalEvent>> {
  const { data, nextCursor } = await listEvents(projectId, { ...query, customer: customerId });
  const of = { project: projectId, customer: customerId, events: data.map(({ id }) => id) };
  const counts = new Map((await countDeliveriesTo.all(database(), of)).map((row) => [row.event_id, row.count]));
  // The counts of the event include deliveries to the company's own endpoints.
  return {
    data: data.map((row) => present(PortalEvent, { ...row, deliveryCount: counts.get(row.id) ?? 0 })),
    nextCursor,
  };
}

/** Types that were sent to a customer and are not defined, at most. */
const MAX_EVENT_TYPES = 200;

/** Lists the types of the catalogue, and those of the newest events of a customer. */
export async function listTypesOfCustomer(
  { projectId, customerId }: PortalCaller,
  query: ListPortalEventTypesQuery,
): Promise<Listing<EventTypeSummary>> {
  const of = { project: projectId, customer: customerId, limit: MAX_EVENT_TYPES };
  const seen = await readHeavily(() => selectTypesOf.all(database(), of));
  return listTypesForReceivers(
    projectId,
    seen.map(({ type }) => type),
    query,
  );
}
