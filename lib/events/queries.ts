import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, pageToListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import { type ScannedPage, scanPage } from '@/lib/platform/sql/bounded-scan';
import { EVENT_ROWS, type EventsFilter, eventScan, selectEventTypes } from './events-sql';
import type { EventListItem, EventSummary, EventTypes, ListEventsQuery } from './schema';

/** More suggestions help nobody. */
const MAX_EVENT_TYPES = 200;

/** Lists the events of a project, newest first, with the counts of their deliveries and without `data`. */
export async function listEvents(projectId: string, query: ListEventsQuery): Promise<Listing<EventListItem>> {
  return pageToListing(await readEvents(projectId, query, query), (row) => row);
}

/** Reads a page of the events that match, newest first. */
export async function readEvents(
  projectId: string,
  filter: EventsFilter,
  page: Page,
): Promise<ScannedPage<EventListItem>> {
  const { rows, next } = await scanPage(database(), eventScan(projectId, filter), page, EVENT_ROWS);
  const shown = rows.map(({ id, type, created_at, outbox_status, queued, retrying, succeeded, failed }) => ({
    ...presentEvent({ id, type, createdAt: created_at }),
    fanOutStatus: outbox_status ?? ('COMPLETED' as const),
    deliveries: { pending: queued + retrying, queued, retrying, succeeded, failed },
  }));
  return { rows: shown, next };
}

/** Lists the types of the events that a project has, at most 200. */
export async function listEventTypes(projectId: string): Promise<EventTypes> {
  const rows = await selectEventTypes.all(database(), { project: projectId, limit: MAX_EVENT_TYPES });
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
