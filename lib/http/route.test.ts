import { expect, it } from 'vitest';
import * as z from 'zod';
import { AppError } from '@/lib/platform/errors';
import { routeRequest } from '@/tests/http/route-request';
import { noContent } from './api-response';
import { route } from './route';

const ID = '01a201a6-a07a-7255-90ec-19eb8d5704fa';

it('passes path ids in lower case to caller and handler, and keeps the case of a token', async () => {
  const seen: unknown[] = [];
  const definition = route({
    summary: 'Tells its parameters.',
    caller: { kind: 'anyone', authenticate: async ({ params }) => void seen.push(params) },
    params: ['projectId', 'token'],
    response: { status: 204 },
    handler: async ({ params }) => {
      seen.push(params);
      return noContent();
    },
  });
  const params = { projectId: ID.toUpperCase(), token: 'AbC' };
  const response = await definition.serve(routeRequest({ method: 'GET', params }));
  expect(response.status).toBe(204);
  expect(seen).toEqual([
    { projectId: ID, token: 'AbC' },
    { projectId: ID, token: 'AbC' },
  ]);
});

it.each([
  ['unknown', undefined, 2_048, 204],
  ['unknown', undefined, 2_049, 401],
  ['known', 'owner', 65_536, 204],
  ['known', 'owner', 65_537, 401],
])(
  'confirms a credential of an %s owner (%s) before it parses a body of %i bytes',
  async (_name, ownerId, bytes, status) => {
    let isParsed = false;
    const definition = route({
      summary: 'Takes a body.',
      caller: {
        kind: 'key',
        access: 'write',
        authenticate: async () => null,
        confirm: () => Promise.reject(new AppError('unauthenticated', 'The key is not valid.')),
      },
      body: z.string().refine(() => {
        isParsed = true;
        return true;
      }),
      response: { status: 204 },
      handler: async () => noContent(),
    });
    const response = await definition.serve(
      routeRequest({
        header: (name) => ({ 'content-type': 'application/json', 'content-length': String(bytes) })[name] ?? null,
        readBody: async (_limit, use) =>
          use(Buffer.from(`"${'x'.repeat(bytes - 2)}"`), () => new AbortController().signal),
        client: { ipAddress: null, userAgent: null, ...(ownerId === undefined ? {} : { ownerId }) },
      }),
    );
    expect([response.status, isParsed]).toEqual([status, status === 204]);
  },
);

it.each([
  ['has lost its access meanwhile', 'refuse', 401, 2],
  ['still has its access', 'allow', 204, 2],
])('authenticates a caller again whose body arrived slowly, and %s', async (_name, second, status, checks) => {
  const seen: number[] = [];
  let calls = 0;
  const definition = route({
    summary: 'Takes a body.',
    caller: {
      kind: 'person',
      authenticate: async () => {
        calls += 1;
        if (calls === 2 && second === 'refuse') throw new AppError('unauthenticated', 'The session has ended.');
        return calls;
      },
    },
    body: z.strictObject({}),
    response: { status: 204 },
    handler: async ({ caller }) => {
      seen.push(caller);
      return noContent();
    },
  });
  const serve = (waitMs: number) =>
    definition.serve(
      routeRequest({
        header: (name) => ({ 'content-type': 'application/json', 'content-length': '2' })[name] ?? null,
        readBody: async (_limit, use) => {
          await new Promise((resolve) => setTimeout(resolve, waitMs));
          return use(Buffer.from('{}'), () => new AbortController().signal);
        },
      }),
    );
  expect((await serve(150)).status).toBe(status);
  expect([calls, seen]).toEqual([checks, status === 204 ? [2] : []]);
  expect((await serve(0)).status).toBe(204);
  expect(calls).toBe(checks + 1);
});

it('does not confirm the credential of a body that was given up for its memory', async () => {
  let confirmed = 0;
  const definition = route({
    summary: 'Takes a body.',
    caller: {
      kind: 'key',
      access: 'write',
      authenticate: async () => null,
      confirm: async () => {
        confirmed += 1;
      },
    },
    body: z.strictObject({}),
    response: { status: 204 },
    handler: async () => noContent(),
  });
  const serve = (code: 'overloaded' | 'invalid_json') =>
    definition.serve(
      routeRequest({ readBody: () => Promise.reject(new AppError(code, 'No.', { headers: { Connection: 'close' } })) }),
    );
  expect(await serve('overloaded')).toMatchObject({ status: 503, headers: { Connection: 'close' } });
  expect(confirmed).toBe(0);
  expect((await serve('invalid_json')).status).toBe(400);
  expect(confirmed).toBe(1);
});
