import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { redactSignatureHeaders } from '@/lib/delivery/attempts/redact-signatures';
import { redactCredentialHeaders } from '@/lib/incoming/ingress/kept-headers';
import type { IncomingEvent, IncomingEventDetail, ListIncomingEventsQuery } from '@/lib/incoming/schema';
import { maySeeSecrets } from '@/lib/orgs/may-see-secrets';
import { notFound } from '@/lib/platform/errors';
import { idBounds } from '@/lib/platform/ids';
import { redactQuery } from '@/lib/platform/net/credential-names';
import { type HeaderPairs, parseHeaderPairs } from '@/lib/platform/net/header-pairs';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import type { IncomingEvent as IncomingEventRow } from '@/lib/platform/prisma/generated/client';

const LISTED = {
  ...{ id: true, sourceId: true, verified: true, method: true, query: true, contentType: true, size: true },
  createdAt: true,
} as const;

const VERIFIED = { true: true, false: false, none: null } as const;

/** What incoming events are selected by. */
export type IncomingEventsFilter = Omit<ListIncomingEventsQuery, keyof Page>;

/** Lists the incoming events of a project, newest first, without headers and body. */
export async function listIncomingEvents(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  query: ListIncomingEventsQuery,
): Promise<Listing<IncomingEvent>> {
  const rows = await readIncomingEvents(caller, projectId, query, { limit: query.limit + 1, cursor: query.cursor });
  return toListing(rows, query.limit, (row) => row);
}

/** Reads up to `page.limit` incoming events below the cursor that match, newest first. */
export async function readIncomingEvents(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  filter: IncomingEventsFilter,
  { limit, cursor }: Page,
): Promise<IncomingEvent[]> {
  const rows = await prisma().incomingEvent.findMany({
    where: conditionsOf(projectId, filter, cursor),
    select: LISTED,
    orderBy: { id: 'desc' },
    take: limit,
  });
  const showsSecrets = maySeeSecrets(caller);
  return rows.map((row) => presentIncomingEvent(row, showsSecrets));
}

/** Whether more than `count` incoming events of a project match. */
export async function hasMoreIncomingEvents(
  projectId: string,
  filter: IncomingEventsFilter,
  count: number,
): Promise<boolean> {
  const where = conditionsOf(projectId, filter, undefined);
  const beyond = await prisma().incomingEvent.findFirst({
    where,
    select: { id: true },
    orderBy: { id: 'desc' },
    skip: count,
  });
  return beyond !== null;
}

function conditionsOf(projectId: string, filter: IncomingEventsFilter, cursor: string | undefined) {
  const { id, sourceId, verified, from, to } = filter;
  const [lowestId, highestId] = idBounds(filter);
  return {
    projectId,
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(verified === undefined ? {} : { verified: VERIFIED[verified] }),
    createdAt: { ...(from && { gte: from }), ...(to && { lte: to }) },
    AND: [
      ...(id === undefined ? [] : [{ id }]),
      ...(cursor === undefined ? [] : [{ id: { lt: cursor } }]),
      ...(lowestId === null ? [] : [{ id: { gte: lowestId } }]),
      ...(highestId === null ? [] : [{ id: { lte: highestId } }]),
    ],
  };
}

/** Reads an incoming event of a project with its headers and body. @throws AppError not_found */
export async function getIncomingEvent(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  incomingEventId: string,
): Promise<IncomingEventDetail> {
  const row = await prisma().incomingEvent.findFirst({
    where: { id: incomingEventId, projectId },
    include: { source: { select: { signatureHeader: true } } },
  });
  if (row === null) throw notFound('incoming event');
  const showsSecrets = maySeeSecrets(caller);
  const text = toText(row.body);
  return {
    ...presentIncomingEvent(row, showsSecrets),
    providerEventId: row.providerEventId,
    headers: shownHeaders(parseHeaderPairs(row.headers) ?? [], row.source.signatureHeader, showsSecrets),
    body: text,
    bodyBase64: text === null ? Buffer.from(row.body).toString('base64') : null,
  };
}

/** Reads the body of an incoming event of a project, byte for byte. @throws AppError not_found */
export async function getIncomingEventBody(projectId: string, incomingEventId: string): Promise<Uint8Array> {
  const row = await prisma().incomingEvent.findFirst({
    where: { id: incomingEventId, projectId },
    select: { body: true },
  });
  if (row === null) throw notFound('incoming event');
  return row.body;
}

function presentIncomingEvent(row: Pick<IncomingEventRow, keyof typeof LISTED>, showsSecrets: boolean): IncomingEvent {
  const { id, sourceId, verified, method, contentType, size, createdAt } = row;
  const query = row.query === null || showsSecrets ? row.query : redactQuery(row.query);
  return { id, sourceId, verified, method, query, contentType, size, createdAt: createdAt.toISOString() };
}

function shownHeaders(headers: HeaderPairs, signatureHeader: string | null, showsSecrets: boolean): HeaderPairs {
  // Earlier versions stored some of the credentials that their names tell.
  const shown = redactCredentialHeaders(headers, signatureHeader);
  return showsSecrets ? shown : redactSignatureHeaders(shown, signatureHeader);
}

function toText(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}
