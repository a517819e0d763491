import { uidsOf } from '@/lib/customers/customers';
import { readHeavily } from '@/lib/platform/connection-shares';
import { findMatch, searchTermsOf } from '@/lib/platform/content-search';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { isId } from '@/lib/platform/ids';
import { type Listing, type Page, pageToListing } from '@/lib/platform/pagination';
import { inCamelCase, present } from '@/lib/platform/present';
import { prisma } from '@/lib/platform/prisma/client';
import { type ScannedPage, scanPage } from '@/lib/platform/sql/bounded-scan';
import {
  EVENT_ROWS,
  type EventsFilter,
  eventScan,
  findEventByName,
  scanOfTypes,
  selectSearched,
  TRIED_EVENTS,
} from './events-sql';
import { type EventListItem, type ListEventsQuery, SentEvent } from './schema';

/** Returns a filter without `q` when that is the id or Idempotency-Key of an event, which may be older than what a search looks at. */
async function resolveSearch(projectId: string, filter: EventsFilter): Promise<EventsFilter> {
  const { q, id } = filter;
  if (q === undefined || id !== undefined) return filter;
  const names = { project: projectId, event: isId(q) ? q : null, idempotencyKey: q };
  const named = await findEventByName.first(database(), names);
  return named === undefined ? filter : { ...filter, q: undefined, id: named.id };
}

/** Lists the events of a project, newest first, with the counts of their deliveries and without `data`. */
export async function listEvents(projectId: string, query: ListEventsQuery): Promise<Listing<EventListItem>> {
  const filter = await resolveSearch(projectId, query);
  const { q } = filter;
  const read = () => readEvents(projectId, filter, query);
  if (q === undefined) return pageToListing(await read(), (row) => row);
  const [page, contents] = await readHeavily(async () => {
    const found = await read();
    return [found, await selectSearched.all(database(), { events: found.rows.map(({ id }) => id) })] as const;
  }, 'search');
  const terms = searchTermsOf(q);
  const matches = new Map(contents.map(({ id, payload }) => [id, findMatch(payload, terms)]));
  return pageToListing(page, (row) => ({ ...row, match: matches.get(row.id) ?? undefined }));
}

/** Reads a page of the events that match, newest first. */
export async function readEvents(
  projectId: string,
  filter: EventsFilter,
  page: Page,
): Promise<ScannedPage<EventListItem>> {
  const { rows, next } = await scanPage(database(), eventScan(projectId, filter), page, EVENT_ROWS);
  const shown = rows.map((row) => {
    const { outboxStatus, queued, retrying, succeeded, failed, ...event } = inCamelCase(row);
    return {
      ...present(SentEvent, event),
      fanOutStatus: outboxStatus ?? ('COMPLETED' as const),
      deliveries: { pending: queued + retrying, queued, retrying, succeeded, failed },
    };
  });
  return { rows: shown, next };
}

/**
 * Reads the newest events of a project with the text of their data, newest first: at most `limit`, with at most 1 MiB of data, among
 * the newest 10,000.
 * @param patterns only events of these types or patterns; empty for all
 */
export async function readNewestEvents(projectId: string, patterns: readonly string[], limit: number) {
  return (await scanPage(database(), scanOfTypes(projectId, patterns, limit), { limit }, TRIED_EVENTS)).rows.map(
    inCamelCase,
  );
}

/** Reads an event of a project with the JSON text of its data. @throws AppError not_found */
export async function getEvent(projectId: string, eventId: string): Promise<{ event: SentEvent; payload: string }> {
  const row = await prisma().event.findFirst({ where: { id: eventId, projectId }, omit: { bodyHash: true } });
  if (row === null) throw notFound('event');
  const uids = await uidsOf(database(), projectId, [row.customerId]);
  return { event: present(SentEvent, { ...row, customerUid: uids.get(row.customerId) ?? null }), payload: row.payload };
}
