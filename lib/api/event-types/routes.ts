import { personOrKey } from '@/lib/api/callers';
import { memberText } from '@/lib/events/member-text';
import {
  CatalogueType,
  CreateEventTypeBody,
  EventTypeDocument,
  EventTypeImport,
  ExportEventTypesQuery,
  ImportEventTypesBody,
  InferredSchema,
  ListEventTypesQuery,
  UpdateEventTypeBody,
} from '@/lib/events/schema';
import {
  createEventType,
  deleteEventType,
  getEventType,
  listEventTypes,
  updateEventType,
} from '@/lib/events/types/event-types';
import { exportEventTypes, inferSchema } from '@/lib/events/types/export-types';
import { importEventTypes } from '@/lib/events/types/import-types';
import { created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { listingOf } from '@/lib/platform/pagination';

const reads = personOrKey('event_type.read', 'read');
const writes = personOrKey('event_type.manage', 'write');

export const list = route({
  summary: 'List the event types of a project by name: those of its catalogue, and those that were sent.',
  caller: reads,
  params: ['projectId'],
  query: ListEventTypesQuery,
  response: { status: 200, schema: listingOf(CatalogueType) },
  // Node writes large content in slices.
  servedBy: 'node',
  handler: async ({ params, query }) => ok(await listEventTypes(params.projectId, query)),
});

export const create = route({
  summary: 'Define an event type.',
  caller: writes,
  params: ['projectId'],
  body: CreateEventTypeBody,
  errors: ['conflict', 'limit_reached', 'rate_limited'],
  response: { status: 201, schema: CatalogueType },
  handler: async ({ caller, params, body, bodyText }) =>
    created(await createEventType(caller, params.projectId, withTexts(body, bodyText))),
});

/** Schema and example are kept as they were sent: their numbers are exact. */
function withTexts<Body extends { schema?: unknown; example?: unknown }>(body: Body, bodyText: string) {
  const { schema, example, ...others } = body;
  const textOf = (name: string, value: unknown) =>
    value === undefined ? {} : { [name]: value === null ? null : memberText(bodyText, name) };
  return { ...others, ...textOf('schema', schema), ...textOf('example', example) };
}

export const get = route({
  summary: 'Get an event type, also one that was sent and is not defined.',
  caller: reads,
  params: ['projectId', 'name'],
  response: { status: 200, schema: CatalogueType },
  handler: async ({ params }) => ok(await getEventType(params)),
});

export const update = route({
  summary: 'Change an event type.',
  caller: writes,
  params: ['projectId', 'name'],
  body: UpdateEventTypeBody,
  errors: ['conflict', 'rate_limited'],
  response: { status: 200, schema: CatalogueType },
  handler: async ({ caller, params, body, bodyText }) =>
    ok(await updateEventType(caller, params, withTexts(body, bodyText))),
});

export const remove = route({
  summary: 'Remove an event type from the catalogue; its events stay.',
  caller: writes,
  params: ['projectId', 'name'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await deleteEventType(caller, params);
    return noContent();
  },
});

/** A catalogue may be large. */
const MAX_DOCUMENT_BYTES = 1024 * 1024;

export const importDocument = route({
  summary: 'Define the webhooks of an OpenAPI document as event types: all of them, or none.',
  caller: writes,
  params: ['projectId'],
  body: ImportEventTypesBody,
  bodyLimitBytes: MAX_DOCUMENT_BYTES,
  isDocument: true,
  errors: ['limit_reached', 'rate_limited'],
  response: { status: 200, schema: EventTypeImport },
  handler: async ({ caller, params, body, bodyText }) => {
    const document = memberText(bodyText, 'document') ?? '{}';
    return ok(await importEventTypes(caller, params.projectId, document, body.dryRun));
  },
});

export const exportDocument = route({
  summary: 'Get the catalogue as an OpenAPI 3.1 document for those who receive the events.',
  caller: reads,
  params: ['projectId'],
  query: ExportEventTypesQuery,
  errors: ['conflict', 'rate_limited'],
  response: { status: 200, schema: EventTypeDocument },
  servedBy: 'node',
  handler: async ({ caller, params, query }) => {
    const content = await exportEventTypes(caller, params.projectId, query);
    return { status: 200, raw: { contentType: 'application/json', content } };
  },
});

export const infer = route({
  summary: 'Propose a schema from the newest events of a type, and save nothing.',
  caller: reads,
  params: ['projectId', 'name'],
  errors: ['rate_limited'],
  response: { status: 200, schema: InferredSchema },
  // It holds up to a MiB of events while its owner waits for the thread.
  isHeavy: 'trial',
  handler: async ({ caller, params }) => ok(await inferSchema(caller, params)),
});
