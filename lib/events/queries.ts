import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { idBounds } from '@/lib/platform/ids';
import { type Listing, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import { selectEvents } from './events-sql';
import type { EventListItem, EventSummary, ListEventsQuery } from './schema';

/** Lists the events of a project, newest first, with the counts of their deliveries and without `data`. */
export async function listEvents(projectId: string, query: ListEventsQuery): Promise<Listing<EventListItem>> {
  const rows = await selectEvents.all(
    database(),
    projectId,
    query.cursor ?? null,
    query.type ?? null,
    query.from ?? null,
    query.to ?? null,
    ...idBounds(query),
    query.limit + 1,
  );
  return toListing(rows, query.limit, ({ id, type, created_at, pending, succeeded, failed }) => ({
    ...presentEvent({ id, type, createdAt: created_at }),
    deliveries: { pending, succeeded, failed },
  }));
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
