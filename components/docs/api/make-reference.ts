import type { ClientCall } from './client-calls';
import { describeField, describeFields, type Field } from './describe-fields';
import type { ApiDocument, DocumentOperation, Schemas } from './document-types';
import type { SampleRequest } from './samples';

/** The API as its pages show it. */
export interface Reference {
  version: string;
  groups: { title: string; pages: ReferencePage[] }[];
}

/** The operations of one tag. */
export interface ReferencePage {
  /** The last part of its path, such as `api-keys`. */
  slug: string;
  title: string;
  description: string;
  operations: Operation[];
}

export type Operation = ReturnType<typeof describeOperation>;

/** Who may call an operation. */
type Caller =
  | { kind: 'key'; scope: string | null }
  | { kind: 'person'; role: string | null }
  | { kind: 'portal'; permissions: string | null }
  | { kind: 'operator' };

/** Tells whether a page can send a call, and which credential it uses. */
export type TryMode =
  | { kind: 'person' }
  | { kind: 'anyone' }
  /** It stores an event. A form makes the API key that it needs. */
  | { kind: 'send' }
  /** It reads, but this page lacks the credential. */
  | { kind: 'other-credential'; needs: string }
  /** It changes something, or its response is not for a page. */
  | { kind: 'never' };

/**
 * Turns the OpenAPI document into pages, one per tag.
 * @param clientCalls the methods of the TypeScript client, by operation
 */
export function makeReference(document: ApiDocument, clientCalls: Record<string, ClientCall>): Reference {
  const pages = new Map<string, ReferencePage>(
    document.tags.map(({ name, 'x-displayName': title, description }) => [
      name,
      { slug: toSlug(name), title, description, operations: [] },
    ]),
  );
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(operations)) {
      const client = clientCalls[operation.operationId] ?? null;
      const source = { method: verb.toUpperCase(), path, operation, client };
      pages.get(operation.tags[0] ?? '')?.operations.push(describeOperation(source, document.components.schemas));
    }
  }
  const groups = document['x-tagGroups'].map(({ name, tags }) => ({
    title: name,
    pages: tags.flatMap((tag) => pages.get(tag) ?? []),
  }));
  return { version: document.info.version, groups };
}

/** An operation of the document, with the method of the TypeScript client that calls it; null without one. */
interface OperationSource {
  method: string;
  path: string;
  operation: DocumentOperation;
  client: ClientCall | null;
}

/** How the document lists the codes of a status: one paragraph each. */
const CODE = /^`([a-z_]+)`: (.+)$/gm;

/** Turns one operation of the document into what its section shows. */
function describeOperation(source: OperationSource, schemas: Schemas) {
  const { method, path, operation } = source;
  const { operationId, summary, description = null, parameters = [], requestBody } = operation;
  const name = operationId.split('.')[1] ?? operationId;
  const fieldsIn = (place: string): Field[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name: parameterName, schema, required, description: meaning }) => {
        const described = meaning === undefined ? schema : { ...schema, description: meaning };
        return describeField(parameterName, described, { schemas, isInput: true, isRequired: required });
      });
  const responses = Object.entries(operation.responses).map(([status, response]) => ({
    status: Number(status),
    ...response,
  }));
  const callers = operation.security.map(toCaller);
  const { schema = {} } = Object.values(requestBody?.content ?? {})[0] ?? {};
  return {
    /** Such as `apiKeys.create`. */
    id: operationId,
    /** The id of its element on the page, such as `create`. */
    anchor: toSlug(name),
    /** A short name for the navigation, such as "Create". */
    name: toWords(name),
    method,
    path,
    title: summary,
    description,
    /** Empty: anyone, without a credential. */
    callers,
    pathFields: fieldsIn('path'),
    queryFields: fieldsIn('query'),
    headerFields: fieldsIn('header').map((field) => ({ ...field, name: toHeaderName(field.name) })),
    body:
      requestBody === undefined
        ? null
        : {
            isRequired: requestBody.required,
            description: requestBody.description ?? null,
            fields: describeFields(schema, { schemas, isInput: true }),
          },
    /** The successful ones. */
    responses: responses
      .filter(({ status }) => status < 400)
      .map(({ status, description: meaning, content = {} }) => {
        const [contentType = null] = Object.keys(content);
        const { schema: sent = {}, example } = content[contentType ?? ''] ?? {};
        return { status, meaning, contentType, fields: describeFields(sent, { schemas, isInput: false }), example };
      }),
    /** The problem codes by status. */
    problems: responses
      .filter(({ status }) => status >= 400)
      .map(({ status, description: codes }) => ({
        status,
        problems: [...codes.matchAll(CODE)].map(([, code = '', meaning = '']) => ({ code, meaning })),
      })),
    request: toSampleRequest(source, callers),
  };
}

/** "idempotency-key" → "Idempotency-Key". */
function toHeaderName(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

function toCaller(requirement: Record<string, string[]>): Caller {
  if (requirement.apiKey !== undefined) return { kind: 'key', scope: requirement.apiKey[0] ?? null };
  if (requirement.accessToken !== undefined) return { kind: 'person', role: requirement.accessToken[0] ?? null };
  if (requirement.portalToken !== undefined) return { kind: 'portal', permissions: requirement.portalToken[0] ?? null };
  return { kind: 'operator' };
}

/** Returns what the examples of an operation are made from. */
function toSampleRequest(source: OperationSource, callers: readonly Caller[]): SampleRequest {
  const { method, path, operation, client } = source;
  const { parameters = [], requestBody } = operation;
  const [contentType, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const isRaw = contentType !== undefined && contentType !== 'application/json';
  const body = isRaw ? { type: 'order.paid', orderId: 'ord_8f2c1' } : media?.example;
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const takesKey = parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'idempotency-key');
  const kinds = callers.map(({ kind }) => kind);
  return {
    method,
    path,
    isRaw,
    client,
    credential: kinds.includes('key') ? 'key' : (kinds[0] ?? null),
    query: Object.fromEntries(required.map(({ name, example }) => [name, String(example)])),
    // It says what it is for. Clients choose their own.
    headers: takesKey ? { 'Idempotency-Key': 'order-8f2c1-paid' } : {},
    ...(body === undefined ? {} : { body }),
    responds: respondsWith(operation),
  };
}

function respondsWith({ responses }: DocumentOperation): SampleRequest['responds'] {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const types = successes.flatMap(([, { content = {} }]) => Object.keys(content));
  const has = (start: string) => successes.some(([status]) => status.startsWith(start));
  if (has('101')) return 'socket';
  if (has('3')) return 'redirect';
  if (types.length === 0) return 'nothing';
  if (types.includes('application/json')) return 'json';
  return types.includes('application/octet-stream') ? 'file' : 'text';
}

const ROLES: Record<string, string> = {
  VIEWER: 'Access token of any member',
  DEVELOPER: 'Access token of a developer or higher',
  ADMIN: 'Access token of an admin or owner',
  OWNER: 'Access token of an owner',
};

/** Returns the credential in words: "API key with READ_WRITE". */
export function describeCaller(caller: Caller): string {
  if (caller.kind === 'operator') return 'Operator token';
  if (caller.kind === 'portal')
    return caller.permissions === null ? 'Portal token' : `Portal token with ${caller.permissions}`;
  if (caller.kind === 'person') return ROLES[caller.role ?? ''] ?? 'Access token';
  return caller.scope === null ? 'API key' : `API key with ${caller.scope}`;
}

/** Both send an event. */
const SENDS = ['events.send', 'events.sendToProject'];

/** A page sends events, and else only what reads: GET, with a response that it can show. */
export function tryModeOf({ id, method, callers, request }: Operation): TryMode {
  if (SENDS.includes(id)) return { kind: 'send' };
  if (method !== 'GET' || request.responds === 'redirect' || request.responds === 'socket') return { kind: 'never' };
  if (callers.length === 0) return { kind: 'anyone' };
  if (callers.some(({ kind }) => kind === 'person')) return { kind: 'person' };
  return { kind: 'other-credential', needs: callers.map(describeCaller).join(' or ') };
}

/** Returns a name in camel case as a part of a URL: "apiKeys" → "api-keys". */
function toSlug(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns a name in camel case as words: "listAttempts" → "List attempts". */
function toWords(name: string): string {
  const words = toSlug(name).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
