import type { ApiDocument, DocumentOperation } from './document-types';
import type { Body, Caller, Operation, ProblemGroup, SuccessResponse } from './reference-types';
import type { ClientCall, SampleRequest } from './samples/sample-request';
import { describeField, describeFields } from './schema/describe-fields';
import type { Field } from './schema/field';
import { toSlug, toWords } from './to-slug';

/** An operation of the document, with the method of the TypeScript client that calls it; null without one. */
interface OperationSource {
  method: string;
  path: string;
  operation: DocumentOperation;
  client: ClientCall | null;
}

/** A key that says what it is for. Clients choose their own. */
const HEADERS: Record<string, [name: string, value: string]> = {
  'idempotency-key': ['Idempotency-Key', 'order-8f2c1-paid'],
};

/** How the document lists the codes of a status: one paragraph each. */
const CODE = /^`([a-z_]+)`: (.+)$/gm;

/** Turns one operation of the document into what its section shows. */
export function describeOperation(source: OperationSource, components: ApiDocument['components']): Operation {
  const { method, path, operation } = source;
  const { operationId, summary, description = null, parameters = [] } = operation;
  const { schemas } = components;
  const name = operationId.split('.')[1] ?? operationId;
  const fieldsIn = (place: string): Field[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name: parameterName, schema, required, description: meaning }) => {
        const described = meaning === undefined ? schema : { ...schema, description: meaning };
        return describeField(parameterName, described, { schemas, isInput: true, isRequired: required });
      });
  const callers = operation.security.map(toCaller);
  const responses = successesOf(operation, schemas);
  return {
    id: operationId,
    anchor: toSlug(name),
    name: toWords(name),
    ...{ method, path, title: summary, description, callers, responses },
    pathFields: fieldsIn('path'),
    queryFields: fieldsIn('query'),
    headerFields: fieldsIn('header').map((field) => ({ ...field, name: toHeaderName(field.name) })),
    body: bodyOf(operation, schemas),
    problems: describeProblems(operation.responses),
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
  return { kind: 'operator' };
}

function bodyOf({ requestBody }: DocumentOperation, schemas: ApiDocument['components']['schemas']): Body | null {
  const [entry] = Object.entries(requestBody?.content ?? {});
  if (requestBody === undefined || entry === undefined) return null;
  const [contentType, { schema = {} }] = entry;
  return {
    isRequired: requestBody.required,
    contentType,
    description: requestBody.description ?? null,
    fields: describeFields(schema, { schemas, isInput: true }),
  };
}

function successesOf(
  { responses }: DocumentOperation,
  schemas: ApiDocument['components']['schemas'],
): SuccessResponse[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description, content = {} }]) => {
      const [contentType = null] = Object.keys(content);
      const { schema = {}, example } = content[contentType ?? ''] ?? {};
      const fields = describeFields(schema, { schemas, isInput: false });
      return { status: Number(status), meaning: description, contentType, fields, example };
    });
}

/** Returns the problem codes of an operation by status. */
function describeProblems(responses: DocumentOperation['responses']): ProblemGroup[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => ({
      status: Number(status),
      problems: [...description.matchAll(CODE)].map(([, code = '', meaning = '']) => ({ code, meaning })),
    }));
}

/** Returns what the examples of an operation are made from. */
function toSampleRequest(source: OperationSource, callers: readonly Caller[]): SampleRequest {
  const { method, path, operation, client } = source;
  const [contentType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const isRaw = contentType !== undefined && contentType !== 'application/json';
  const body = isRaw ? { type: 'order.paid', orderId: 'ord_8f2c1' } : media?.example;
  const headers = (operation.parameters ?? []).flatMap(({ name, in: place }) =>
    place === 'header' && HEADERS[name] !== undefined ? [HEADERS[name]] : [],
  );
  const query = (operation.parameters ?? []).flatMap(({ name, in: place, required, example }) =>
    place === 'query' && required ? [[name, String(example)] as const] : [],
  );
  const kinds = callers.map(({ kind }) => kind);
  return {
    ...{ method, path, isRaw, client },
    credential: kinds.includes('key') ? 'key' : (kinds[0] ?? null),
    query: Object.fromEntries(query),
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { body }),
    responds: respondsWith(operation),
  };
}

function respondsWith({ responses }: OperationSource['operation']): SampleRequest['responds'] {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const types = successes.flatMap(([, { content = {} }]) => Object.keys(content));
  const has = (start: string) => successes.some(([status]) => status.startsWith(start));
  if (has('101')) return 'socket';
  if (has('3')) return 'redirect';
  if (types.length === 0) return 'nothing';
  if (types.includes('application/json')) return 'json';
  return types.includes('application/octet-stream') ? 'file' : 'text';
}
