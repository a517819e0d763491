import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { idBounds } from '@/lib/platform/ids';
import { type Listing, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import { selectEvents, selectEventTypes } from './events-sql';
import type { EventListItem, EventSummary, EventTypes, ListEventsQuery } from './schema';

/** More suggestions help nobody. */
const MAX_EVENT_TYPES = 200;

/** Lists the events of a project, newest first, with the counts of their deliveries and without `data`. */
export async function listEvents(projectId: string, query: ListEventsQuery): Promise<Listing<EventListItem>> {
  const { exact, prefix } = splitPattern(query.type ?? '*');
  const rows = await selectEvents.all(
    database(),
    projectId,
    query.cursor ?? null,
    exact,
    query.from ?? null,
    query.to ?? null,
    ...idBounds(query),
    query.limit + 1,
    prefix,
  );
  return toListing(rows, query.limit, ({ id, type, created_at, pending, succeeded, failed }) => ({
    ...presentEvent({ id, type, createdAt: created_at }),
    deliveries: { pending, succeeded, failed },
  }));
}

/** Returns the type that a pattern is, or how the types below it start; null for both matches every type. */
function splitPattern(pattern: string): { exact: string | null; prefix: string | null } {
  if (pattern === '*') return { exact: null, prefix: null };
  return pattern.endsWith('.*') ? { exact: null, prefix: pattern.slice(0, -1) } : { exact: pattern, prefix: null };
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
