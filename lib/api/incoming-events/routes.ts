import { personOrKey, whileMaySeeSecrets } from '@/lib/api/callers';
import { downloadList, isFile, ListFormat } from '@/lib/api/list-download';
import { SignatureCheck } from '@/lib/delivery/schema';
import { accepted, ok } from '@/lib/http/api-response';
import { download, downloadHead, LIST_DOWNLOAD_LIMITS } from '@/lib/http/download';
import { route } from '@/lib/http/route';
import { incomingEventScan } from '@/lib/incoming/incoming-events/incoming-event-scan-sql';
import {
  getIncomingEvent,
  getIncomingEventBody,
  listIncomingEvents,
  listIncomingEventTypes,
  readIncomingEvents,
} from '@/lib/incoming/incoming-events/queries';
import { replayIncomingEvent } from '@/lib/incoming/replays/replay-incoming-event';
import {
  type IncomingEvent,
  IncomingEventDetail,
  IncomingEventListItem,
  IncomingEventTypes,
  ListIncomingEventsQuery,
  ReplayedIncomingEvent,
  ReplayIncomingEventBody,
} from '@/lib/incoming/schema';
import { checkIncomingEventSignature } from '@/lib/incoming/signatures/check-source-signature';
import { admitIntake } from '@/lib/orgs/admit-intake';
import { findTenant, maySeeSecrets, organizationOf } from '@/lib/orgs/tenant';
import { systemClock } from '@/lib/platform/clock';
import { listingOf, type Page } from '@/lib/platform/pagination';
import { takeSlot } from '@/lib/platform/slots';
import { type CsvColumns, endsEarly } from '@/lib/platform/write-rows';

const reads = personOrKey('incoming_event.read', 'read');

/** Downloads of bodies over 512 KiB: each reads many pieces through connections that all requests share. */
const BODY_DOWNLOADS = { name: 'body-downloads', atOnce: 6, perOrganization: 2, perOwner: 4, noun: 'download' };

const COLUMNS: CsvColumns<IncomingEvent> = {
  id: (event) => event.id,
  sourceId: (event) => event.sourceId,
  verified: (event) => event.verified,
  method: (event) => event.method,
  query: (event) => event.query,
  contentType: (event) => event.contentType,
  eventType: (event) => event.eventType,
  size: (event) => event.size,
  createdAt: (event) => event.createdAt,
};

export const list = route({
  summary:
    'List the incoming events of a project, without headers and bodies; `format` downloads them as a single file.',
  caller: reads,
  params: ['projectId'],
  query: ListIncomingEventsQuery.extend({ format: ListFormat }),
  response: { status: 200, schema: listingOf(IncomingEventListItem) },
  // Served by Node, a download ends when the client disconnects, and Next does not buffer it.
  servedBy: 'node',
  handler: async ({ caller, params: { projectId }, query, request, whileAllowed }) => {
    const { format, ...filter } = query;
    if (!isFile(format)) return ok(await listIncomingEvents(caller, projectId, query));
    // Statements that wait may update the role of `caller`, which would show secrets in a download that is not watched for that.
    const admitted = { ...caller };
    const read = (page: Page) => readIncomingEvents(admitted, projectId, filter, page);
    const isTruncated = () => endsEarly(incomingEventScan(projectId, filter));
    return downloadList({
      caller,
      request,
      whileAllowed: maySeeSecrets(admitted) ? whileMaySeeSecrets(admitted, request) : whileAllowed,
      format,
      name: 'incoming-events',
      columns: COLUMNS,
      read,
      isTruncated,
    });
  },
});

export const listTypes = route({
  summary: 'List the types of the incoming events of a project.',
  caller: reads,
  params: ['projectId'],
  response: { status: 200, schema: IncomingEventTypes },
  handler: async ({ params }) => ok(await listIncomingEventTypes(params.projectId)),
});

export const get = route({
  summary: 'Get an incoming event with its headers and body.',
  caller: reads,
  params: ['projectId', 'incomingEventId'],
  errors: ['rate_limited'],
  response: { status: 200, schema: IncomingEventDetail },
  // Node writes large content in slices.
  servedBy: 'node',
  handler: async ({ caller, params }) => ok(await getIncomingEvent(caller, params.projectId, params.incomingEventId)),
});

export const getBody = route({
  summary: 'Download the body of an incoming event, byte for byte.',
  caller: reads,
  params: ['projectId', 'incomingEventId'],
  errors: ['rate_limited', 'overloaded'],
  response: { status: 200, contentType: 'application/octet-stream', headers: ['Content-Disposition'] },
  // Served by Node, a download ends when the client disconnects, and Next does not buffer it.
  servedBy: 'node',
  handler: async ({ caller, params: { projectId, incomingEventId }, request, whileAllowed }) => {
    const found = await getIncomingEventBody(projectId, incomingEventId);
    // Never the type that a stranger chose, so that a browser does not render it.
    const contentType = 'application/octet-stream';
    const fileName = `incoming-event-${incomingEventId}`;
    if ('body' in found) {
      const headers = { 'Content-Disposition': `attachment; filename="${fileName}"` };
      return { status: 200, raw: { contentType, content: found.body }, headers };
    }
    if (request.method === 'HEAD') return downloadHead(contentType);
    const slot = takeSlot(BODY_DOWNLOADS, {
      id: caller.type === 'key' ? caller.keyId : caller.userId,
      ...(await findTenant(organizationOf(caller))),
    });
    return download(
      { contentType, fileName, chunks: found.pieces, close: async () => slot.release(), slot, whileAllowed },
      LIST_DOWNLOAD_LIMITS,
    );
  },
});

export const checkSignature = route({
  summary: 'Check the signature of an incoming event with the secrets of now, and say why it does not verify.',
  caller: reads,
  params: ['projectId', 'incomingEventId'],
  errors: ['conflict'],
  response: { status: 200, schema: SignatureCheck },
  handler: async ({ caller, params }) => ok(await checkIncomingEventSignature(caller, params, systemClock())),
});

export const replay = route({
  summary: 'Replay an incoming event to its destinations.',
  caller: personOrKey('incoming_event.replay', 'write'),
  params: ['projectId', 'incomingEventId'],
  body: ReplayIncomingEventBody,
  bodyOptional: true,
  errors: ['conflict'],
  response: { status: 202, schema: ReplayedIncomingEvent },
  handler: async ({ caller, params, body }) => {
    // It stores a delivery for each destination.
    admitIntake(params.projectId, 0);
    return accepted(await replayIncomingEvent(caller, params.projectId, params.incomingEventId, body));
  },
});
