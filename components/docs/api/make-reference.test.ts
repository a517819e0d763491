import { describe, expect, it } from 'vitest';
import { openApiDocument } from '@/lib/api/openapi/document';
import { createResources } from '@/lib/client/generated/resources';
import { ERRORS } from '@/lib/platform/errors';
import { clientCallsOf } from './client-calls';
import type { ApiDocument } from './document-types';
import { makeReference, tryModeOf } from './make-reference';

const document = openApiDocument() as unknown as ApiDocument;
const clientCalls = clientCallsOf(createResources);
const reference = makeReference(document, clientCalls);
const pages = reference.groups.flatMap((group) => group.pages);
const operations = pages.flatMap((page) => page.operations);
const find = (id: string) => {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
};

describe('the pages of the reference', () => {
  it('show every operation of the document, each on one page', () => {
    const described = Object.entries(document.paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, { operationId }]) => `${operationId} ${verb.toUpperCase()} ${path}`),
    );
    const shown = operations.map(({ id, method, path }) => `${id} ${method} ${path}`);
    expect(shown.toSorted()).toEqual(described.toSorted());
    expect(shown.length).toBeGreaterThan(100);
  });

  it('have paths and anchors of their own', () => {
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length);
    for (const page of pages) {
      expect(page.operations.length, page.slug).toBeGreaterThan(0);
      expect(new Set(page.operations.map(({ anchor }) => anchor)).size).toBe(page.operations.length);
    }
  });

  it('link to problem codes that exist, and keep every code of the document', () => {
    const codes = operations.flatMap(({ problems }) => problems.flatMap((group) => group.problems));
    expect(new Set(codes.map(({ code }) => code))).toEqual(
      new Set(Object.keys(ERRORS).filter((code) => codes.some((each) => each.code === code))),
    );
    for (const { problems } of operations) {
      for (const { status, problems: ofStatus } of problems) {
        expect(ofStatus.length, String(status)).toBeGreaterThan(0);
        for (const { code, meaning } of ofStatus)
          expect(ERRORS[code as keyof typeof ERRORS]).toEqual([status, meaning]);
      }
    }
  });
});

describe('an operation', () => {
  it('says who may call it, with the scope of a key and the role of a person', () => {
    expect(find('endpoints.create').callers).toEqual([
      { kind: 'person', role: 'DEVELOPER' },
      { kind: 'key', scope: 'READ_WRITE' },
    ]);
    expect(find('organizations.list').callers).toEqual([{ kind: 'person', role: null }]);
    expect(find('admin.getStats').callers).toEqual([{ kind: 'operator' }]);
    expect(find('operations.live').callers).toEqual([]);
  });

  it('has its parameters, body and response', () => {
    const send = find('events.send');
    expect(send.headerFields.map(({ name }) => name)).toEqual(['Idempotency-Key']);
    expect(send.body?.fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ['type', true],
      ['data', true],
      ['customer', false],
    ]);
    expect(send.responses.map(({ status, contentType }) => [status, contentType])).toEqual([[202, 'application/json']]);
    const list = find('events.list');
    expect(list.pathFields.map(({ name, type }) => [name, type])).toEqual([['projectId', 'UUID']]);
    const filters = ['id', 'type', 'q', 'apiKeyId', 'clientAddress', 'status', 'endpointId', 'customer', 'from', 'to'];
    expect(list.queryFields.map(({ name }) => name)).toEqual(['limit', 'cursor', ...filters, 'format']);
    const [data] = list.responses[0]?.fields ?? [];
    expect(data?.kinds[0]?.fields.map(({ name }) => name)).toEqual([
      'id',
      'type',
      'createdAt',
      'idempotencyKey',
      'apiKeyId',
      'clientAddress',
      'customerId',
      'customerUid',
      'fanOutStatus',
      'deliveries',
      'match',
    ]);
  });

  it('knows how it responds', () => {
    expect(find('events.send').request.responds).toBe('json');
    expect(find('endpoints.remove').request.responds).toBe('nothing');
    expect(find('operations.metrics').request.responds).toBe('text');
    expect(find('incomingEvents.getBody').request.responds).toBe('file');
    expect(find('identityProvider.start').request.responds).toBe('redirect');
    expect(find('tunnelConnection.connect').request.responds).toBe('socket');
    expect(find('ingress.receive').request.responds).toBe('json');
  });

  it('knows the method of the client and its arguments', () => {
    expect(find('destinations.update').request.client).toEqual({
      resource: 'destinations',
      method: 'update',
      kind: 'call',
      ids: ['sourceId', 'destinationId'],
      takesBody: true,
    });
    expect(find('auth.logIn').request.client).toBeNull();
  });
});

const modeOf = (id: string) => tryModeOf(find(id));

it('sends what a person may read, and what anyone may', () => {
  expect(modeOf('events.list')).toEqual({ kind: 'person' });
  expect(modeOf('organizations.list')).toEqual({ kind: 'person' });
  expect(modeOf('operations.ready')).toEqual({ kind: 'anyone' });
});

it('names the credential that a page lacks', () => {
  expect(modeOf('apiKeys.getOwn')).toEqual({ kind: 'other-credential', needs: 'API key' });
  expect(modeOf('admin.getStats')).toEqual({ kind: 'other-credential', needs: 'Operator token' });
});

it('sends events, with a form of their own', () => {
  expect(modeOf('events.send')).toEqual({ kind: 'send' });
  expect(modeOf('events.sendToProject')).toEqual({ kind: 'send' });
});

it('never sends what else changes something, leads elsewhere or is no response for a page', () => {
  for (const operation of operations) {
    if (operation.method !== 'GET' && modeOf(operation.id).kind !== 'send')
      expect(tryModeOf(operation), operation.id).toEqual({ kind: 'never' });
  }
  expect(modeOf('identityProvider.start')).toEqual({ kind: 'never' });
  expect(modeOf('tunnelConnection.connect')).toEqual({ kind: 'never' });
});
