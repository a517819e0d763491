import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { sendThroughNext, sendThroughNode, useWebServer } from '@/tests/http/adapters';
import type { Send } from '@/tests/http/api-request';
import { type CapturedLog, captureLog } from './captured-log';

const { url } = useDatabase();
const projects = useProjects();
const server = useWebServer();
const sendNode = sendThroughNode(server.port);
let log: CapturedLog;

beforeAll(() => {
  log = captureLog({ DATABASE_URL: url });
});
beforeEach(() => log.clear());

/** The line is written when the response has ended on the server, which may be after the client has it. */
async function oneLine(): Promise<Record<string, unknown>> {
  for (let tries = 0; tries < 100 && log.requests().length === 0; tries += 1) await sleep(5);
  expect(log.requests()).toHaveLength(1);
  return log.requests()[0] ?? {};
}

const sendEvent = (send: Send) =>
  send({
    method: 'POST',
    path: '/api/v1/events',
    headers: { 'content-type': 'application/json', 'x-api-key': projects.mine.key, 'x-request-id': 'mine' },
    body: '{"type":"order.paid","data":{"card":"4111-payload"}}',
  });

describe.each([
  ['before Next', sendNode],
  ['by Next', sendThroughNext],
])('a request that is served %s', (_lane, send) => {
  it('leaves one line with method, template, status, duration, request id and project', async () => {
    await sendEvent(send);
    expect(await oneLine()).toMatchObject({
      level: 30,
      method: 'POST',
      route: '/api/v1/events',
      status: 202,
      durationMs: expect.any(Number),
      requestId: 'mine',
      projectId: projects.mine.id,
    });
  });

  it('is named by the template of its path, also when it is refused', async () => {
    const path = `/api/v1/projects/${projects.mine.id}/endpoints?limit=3`;
    await send({ method: 'GET', path, headers: { 'x-api-key': 'eds_wrong' }, body: null });
    const line = await oneLine();
    expect(line).toMatchObject({ route: '/api/v1/projects/{projectId}/endpoints', status: 401 });
    expect(line.projectId).toBe(projects.mine.id);
  });

  it('shows no text that a client wrote in place of an id', async () => {
    await send({ method: 'GET', path: '/api/v1/projects/eds_live_secret/endpoints', headers: {}, body: null });
    expect(await oneLine()).not.toHaveProperty('projectId');
    expect(log.text).not.toContain('eds_live_secret');
  });
});

describe('the web entry', () => {
  it.each([
    ['a page', 'GET', '/somewhere?token=tok_in_url', 200],
    ['an unknown path of the API', 'GET', '/api/v1/nothing/tok_in_url', 404],
    ['a verb that a page does not have', 'POST', '/somewhere/tok_in_url', 405],
  ])('leaves one line for %s, without its path', async (_what, method, path, status) => {
    await sendNode({ method, path, headers: {}, body: null });
    expect(await oneLine()).toMatchObject({ method, route: '(other)', status });
    expect(log.text).not.toContain('tok_in_url');
  });

  it('leaves none for the files of the build, unless one is missing', async () => {
    await sendNode({ method: 'GET', path: '/_next/static/a.js', headers: {}, body: null });
    await sendNode({ method: 'GET', path: '/', headers: {}, body: null });
    expect((await oneLine()).route).toBe('(other)');
  });
});

describe('no line contains', () => {
  const secrets: Record<string, string> = {
    authorization: 'Bearer secret-bearer',
    cookie: 'refresh_token=secret-cookie',
    'x-platform-admin-token': 'secret-admin',
    'x-api-key': 'eds_secret_key',
    'idempotency-key': 'secret-idempotency',
    'webhook-signature': 'v1,secret-signature',
    'user-agent': 'secret-agent',
  };
  const all = ['secret-', 'eds_secret_key', 'secret_token_of_a_source', '4111-payload', 'ada@example.com', 'hunter2'];

  it.each([
    ['POST', '/api/v1/events?token=secret-query', '{"type":"a","data":{"card":"4111-payload"}}'],
    ['POST', '/api/v1/ingress/secret_token_of_a_source', '{"card":"4111-payload"}'],
    ['POST', '/api/v1/auth/login', '{"email":"ada@example.com","password":"hunter2"}'],
    ['POST', '/api/v1/auth/reset-password', '{"token":"secret-reset","password":"hunter2"}'],
    ['GET', '/reset-password?token=secret-reset', null],
    ['GET', '/api/v1/admin/users?email=ada@example.com', null],
    ['GET', '/metrics?x=secret-query', null],
  ])('a header, a token or a payload of %s %s', async (method, path, body) => {
    for (const omitted of ['x-api-key', 'authorization']) {
      const headers = { ...secrets, 'content-type': 'application/json' } as Record<string, string>;
      // Both together are refused before either is read.
      delete headers[omitted];
      await sendNode({ method, path, headers, body });
    }
    for (let tries = 0; tries < 100 && log.requests().length < 2; tries += 1) await sleep(5);
    expect(log.requests()).toHaveLength(2);
    for (const secret of all) expect(log.text).not.toContain(secret);
  });

  it('the payload or the key of a request that is accepted', async () => {
    await sendEvent(sendNode);
    expect((await oneLine()).status).toBe(202);
    expect(log.text).not.toContain('4111-payload');
    expect(log.text).not.toContain(projects.mine.key);
  });
});
