import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { idBounds } from '@/lib/platform/ids';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import { storedStatusOf } from './delivery-state-policy';
import {
  selectEventBeyond,
  selectEventBeyondByDelivery,
  selectEvents,
  selectEventsByDelivery,
  selectEventTypes,
} from './events-sql';
import type { EventListItem, EventSummary, EventTypes, ListEventsQuery } from './schema';
import { splitPattern } from './type-pattern-policy';

/** More suggestions help nobody. */
const MAX_EVENT_TYPES = 200;

/** What events are selected by. */
export type EventsFilter = Omit<ListEventsQuery, keyof Page>;

/** Lists the events of a project, newest first, with the counts of their deliveries and without `data`. */
export async function listEvents(projectId: string, query: ListEventsQuery): Promise<Listing<EventListItem>> {
  const rows = await readEvents(projectId, query, { limit: query.limit + 1, cursor: query.cursor });
  return toListing(rows, query.limit, (row) => row);
}

/** Reads up to `page.limit` events below the cursor that match, newest first. */
export async function readEvents(projectId: string, filter: EventsFilter, page: Page): Promise<EventListItem[]> {
  const { chosen, byDelivery } = parametersOf(projectId, filter, page);
  const rows =
    byDelivery === null
      ? await selectEvents.all(database(), ...chosen)
      : await selectEventsByDelivery.all(database(), ...chosen, ...byDelivery);
  return rows.map(({ created_at, outbox_status, queued, retrying, succeeded, failed, ...event }) => ({
    ...presentEvent({ ...event, createdAt: created_at }),
    fanOutStatus: outbox_status ?? 'COMPLETED',
    deliveries: { pending: queued + retrying, queued, retrying, succeeded, failed },
  }));
}

/** Whether more than `count` events of a project match. */
export async function hasMoreEvents(projectId: string, filter: EventsFilter, count: number): Promise<boolean> {
  const { chosen, byDelivery } = parametersOf(projectId, filter, { limit: count, cursor: undefined });
  const found =
    byDelivery === null
      ? await selectEventBeyond.run(database(), ...chosen)
      : await selectEventBeyondByDelivery.run(database(), ...chosen, ...byDelivery);
  return found === 1;
}

/** Returns the parameters $1 to $10 of the statements that choose events, and $11 to $13; null when no delivery matters. */
function parametersOf(projectId: string, filter: EventsFilter, page: Page) {
  const { id, type, status, endpointId, from, to } = filter;
  const { exact, prefix } = splitPattern(type ?? '*');
  const chosen = [
    ...[projectId, page.cursor ?? null, exact, from ?? null, to ?? null],
    ...[...idBounds(filter), page.limit, prefix, id ?? null],
  ];
  if (status === undefined && endpointId === undefined) return { chosen, byDelivery: null };
  const stored = storedStatusOf(status);
  return { chosen, byDelivery: [stored.status, stored.hasAttempts, endpointId ?? null] };
}

/** Lists the types of the events that a project has, at most 200. */
export async function listEventTypes(projectId: string): Promise<EventTypes> {
  const rows = await selectEventTypes.all(database(), projectId, MAX_EVENT_TYPES);
  return { data: rows.map(({ type }) => type) };
}

/** Reads an event of a project with the JSON text of its data. @throws AppError not_found */
export async function getEvent(projectId: string, eventId: string): Promise<{ event: EventSummary; payload: string }> {
  const row = await prisma().event.findFirst({
    where: { id: eventId, projectId },
    select: { id: true, type: true, createdAt: true, payload: true },
  });
  if (row === null) throw notFound('event');
  return { event: presentEvent(row), payload: row.payload };
}

function presentEvent({ id, type, createdAt }: { id: string; type: string; createdAt: Date }): EventSummary {
  return { id, type, createdAt: createdAt.toISOString() };
}
