import type { ProjectCaller } from '@/lib/audit/caller';
import {
  redactSignatureHeaders,
  SIGNATURE_HEADERS,
  signatureHeadersOf,
  signatureRedactor,
  signaturesIn,
} from '@/lib/delivery/attempts/redact-signatures';
import { readBodyPieces, readLargeBody } from '@/lib/delivery/engine/large-bodies';
import { redactCredentialHeaders } from '@/lib/incoming/ingress/kept-request';
import {
  IncomingEvent,
  type IncomingEventDetail,
  type IncomingEventListItem,
  type IncomingEventTypes,
  type ListIncomingEventsQuery,
} from '@/lib/incoming/schema';
import { inThreadTurnOfProject, mapInTurns, maySeeSecrets } from '@/lib/orgs/tenant';
import { readHeavily } from '@/lib/platform/connection-shares';
import { findMatch, searchTermsOf } from '@/lib/platform/content-search';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { isId } from '@/lib/platform/ids';
import { LARGE_ANSWER_BYTES, LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { redactQuery, secretsInQuery } from '@/lib/platform/net/credential-names';
import { type HeaderPairs, parseHeaderPairs } from '@/lib/platform/net/header-pairs';
import { type Listing, type Page, pageToListing } from '@/lib/platform/pagination';
import { present, presentBody } from '@/lib/platform/present';
import { prisma } from '@/lib/platform/prisma/client';
import type { Source, IncomingEvent as StoredIncomingEvent } from '@/lib/platform/prisma/generated/client';
import { type ScannedPage, scanPage } from '@/lib/platform/sql/bounded-scan';
import {
  findIncomingEventByName,
  INCOMING_EVENT_ROWS,
  type IncomingEventsFilter,
  incomingEventScan,
  selectIncomingEventTypes,
  selectSearched,
} from './incoming-event-scan-sql';

/** Lists the incoming events of a project, newest first, without headers and body. */
export async function listIncomingEvents(
  caller: ProjectCaller,
  projectId: string,
  query: ListIncomingEventsQuery,
): Promise<Listing<IncomingEventListItem>> {
  const filter = await resolveSearch(projectId, query);
  const { q } = filter;
  const read = () => readIncomingEvents(caller, projectId, filter, query);
  if (q === undefined) return pageToListing(await read(), (row) => row);
  const [page, contents] = await readHeavily(async () => {
    const found = await read();
    return [found, await selectSearched.all(database(), { incomingEvents: found.rows.map(({ id }) => id) })] as const;
  }, 'search');
  const terms = searchTermsOf(q);
  const matches = new Map(contents.map(({ id, body }) => [id, findMatch(body.toString(), terms)]));
  return pageToListing(page, (row) => ({ ...row, match: matches.get(row.id) ?? undefined }));
}

/** Returns a filter without `q` when that is the id of an incoming event, or a provider's, which may be older than what a search looks at. */
async function resolveSearch(projectId: string, filter: IncomingEventsFilter): Promise<IncomingEventsFilter> {
  const { q, id } = filter;
  if (q === undefined || id !== undefined) return filter;
  const names = { project: projectId, incomingEvent: isId(q) ? q : null, providerEventId: q };
  const named = await findIncomingEventByName.first(database(), names);
  return named === undefined ? filter : { ...filter, q: undefined, id: named.id };
}

/** Reads a page of the incoming events that match, newest first. */
export async function readIncomingEvents(
  caller: ProjectCaller,
  projectId: string,
  filter: IncomingEventsFilter,
  page: Page,
): Promise<ScannedPage<IncomingEvent>> {
  const { rows, next } = await scanPage(database(), incomingEventScan(projectId, filter), page, INCOMING_EVENT_ROWS);
  const showsSecrets = maySeeSecrets(caller);
  return { rows: await mapInTurns(caller, projectId, rows, (row) => presentRow(row, showsSecrets)), next };
}

const MAX_TYPES = 200;

/** Lists the types of the incoming events that a project has, at most 200. */
export async function listIncomingEventTypes(projectId: string): Promise<IncomingEventTypes> {
  const rows = await selectIncomingEventTypes.all(database(), { project: projectId, limit: MAX_TYPES });
  return { data: rows.map(({ type }) => type) };
}

/** Reads an incoming event of a project with its headers and at most 512 KiB of its body. @throws AppError not_found */
export async function getIncomingEvent(
  caller: ProjectCaller,
  projectId: string,
  incomingEventId: string,
): Promise<IncomingEventDetail> {
  const include = { source: { select: SIGNATURE_HEADERS } };
  const where = { id: incomingEventId, projectId };
  const row = await prisma().incomingEvent.findFirst({
    where: { ...where, size: AT_ONCE },
    include,
    omit: { largeBody: true },
  });
  if (row !== null) return showDetail(caller, row);
  const large = await prisma().incomingEvent.findFirst({ where, include, omit: { body: true, largeBody: true } });
  if (large === null) throw notFound('incoming event');
  return readHeavily(async () => {
    const body = await readLargeBody(large.id, Math.min(large.size, LARGE_BODY_BYTES));
    return showDetail(caller, { ...large, body });
  }, 'body');
}

/** A larger body is never read in one piece. */
const AT_ONCE = { lte: LARGE_ANSWER_BYTES };

type DetailRow = Omit<StoredIncomingEvent, 'body' | 'largeBody'> & {
  body: Uint8Array;
  source: Pick<Source, keyof typeof SIGNATURE_HEADERS>;
};

function showDetail(caller: ProjectCaller, row: DetailRow): Promise<IncomingEventDetail> {
  const showsSecrets = maySeeSecrets(caller);
  return inThreadTurnOfProject(caller, row.projectId, () => {
    // Earlier versions stored some of the credentials that their names tell.
    const headers = redactCredentialHeaders(parseHeaderPairs(row.headers) ?? [], row.source.signatureHeader);
    return {
      ...presentRow(row, showsSecrets),
      providerEventId: row.providerEventId,
      headers: showsSecrets ? headers : withoutSignatures(headers, row.query, row.source),
      ...presentBody(row.body, row.body.length < row.size),
      bodyTruncated: row.body.length < row.size,
    };
  });
}

/**
 * Reads the body of an incoming event of a project, byte for byte: a larger one than 512 KiB in pieces, with its size.
 * @throws AppError not_found
 */
export async function getIncomingEventBody(
  projectId: string,
  incomingEventId: string,
): Promise<{ body: Uint8Array } | { pieces: AsyncGenerator<Uint8Array>; size: number }> {
  const where = { id: incomingEventId, projectId };
  const row = await prisma().incomingEvent.findFirst({ where: { ...where, size: AT_ONCE }, select: { body: true } });
  if (row !== null) return row;
  const large = await prisma().incomingEvent.findFirst({ where, select: { size: true } });
  if (large === null) throw notFound('incoming event');
  const { size } = large;
  if (size > LARGE_BODY_BYTES) return { pieces: readBodyPieces(incomingEventId, size), size };
  return readHeavily(async () => ({ body: await readLargeBody(incomingEventId, size) }), 'body');
}

function presentRow(row: Omit<IncomingEvent, 'createdAt'> & { createdAt: Date }, showsSecrets: boolean): IncomingEvent {
  const query = row.query === null || showsSecrets ? row.query : redactQuery(row.query);
  return present(IncomingEvent, { ...row, query });
}

function withoutSignatures(
  headers: HeaderPairs,
  query: string | null,
  source: Pick<Source, keyof typeof SIGNATURE_HEADERS>,
): HeaderPairs {
  const chosen = signatureHeadersOf(source);
  const redact = signatureRedactor(signaturesIn(headers, chosen), secretsInQuery(query ?? ''));
  return redactSignatureHeaders(headers, chosen, redact);
}
