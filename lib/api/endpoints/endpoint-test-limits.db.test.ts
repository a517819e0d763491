import { request as httpRequest, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api, subtrees } from '@/lib/api/table';
import { closeDeliveryPools } from '@/lib/delivery/engine/delivery-pools';
import type { Endpoint, TestResult } from '@/lib/delivery/schema';
import { toNext } from '@/lib/http/next-adapter';
import { toMatcher } from '@/lib/http/table';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { useWebServer } from '@/tests/http/adapters';
import { call, type Problem } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();
const server = useWebServer();

let project: TestProject;
beforeEach(async () => {
  project = await makeTestProject();
});
afterEach(closeDeliveryPools);

async function makeEndpoint(url: string, owner: TestProject = project): Promise<string> {
  const path = `/api/v1/projects/${owner.id}/endpoints`;
  const made = await call<Endpoint>('POST', path, { apiKey: owner.key, body: { url } });
  expect(made.status, made.text).toBe(201);
  return made.json.id;
}

const testPath = (endpointId: string, owner: TestProject = project) =>
  `/api/v1/projects/${owner.id}/endpoints/${endpointId}/test`;

function test(endpointId: string, owner: TestProject = project) {
  return call<TestResult & Problem>('POST', testPath(endpointId, owner), { apiKey: owner.key });
}

/** A receiver that responds on command and counts its open connections. */
async function startHangingReceiver() {
  const held = new Set<ServerResponse>();
  let isHanging = true;
  let mostAtOnce = 0;
  const receiver = await startReceiver((response) => {
    if (!isHanging) return void response.end('ok');
    held.add(response);
    mostAtOnce = Math.max(mostAtOnce, held.size);
    response.on('close', () => held.delete(response));
  });
  return {
    url: receiver.url,
    held,
    mostAtOnce: () => mostAtOnce,
    answerAll: () => {
      isHanging = false;
      for (const response of held) response.end('late');
    },
  };
}

describe('tests of an endpoint that does not respond', () => {
  it('open three connections for 300 requests at once, and do not block others', async () => {
    const receiver = await startHangingReceiver();
    const [hanging, other] = [await makeEndpoint(receiver.url), await makeTestProject()];
    const healthy = await makeEndpoint((await startReceiver()).url, other);
    const responses: Awaited<ReturnType<typeof test>>[] = [];
    const all = Array.from({ length: 300 }, () => test(hanging).then((response) => responses.push(response)));
    await waitFor('three to arrive and others to be refused', () => receiver.held.size === 3 && responses.length > 0);
    expect((await test(healthy, other)).json).toMatchObject({ succeeded: true });

    await waitFor('the others to be answered', () => responses.length >= 297, 60_000);
    receiver.answerAll();
    await Promise.all(all);
    expect(receiver.mostAtOnce()).toBe(3);
    const refused = responses.filter(({ status }) => status !== 200);
    // Not exactly 297: on a busy machine the first ones time out while the last ones are still being asked for.
    expect(refused.length).toBeGreaterThan(200);
    for (const { status, json, headers } of refused) {
      expect({ status, code: json.code }).toEqual({ status: 429, code: 'rate_limited' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await test(hanging)).json).toMatchObject({ succeeded: true });
  });

  it('open five connections for a project, however many endpoints it has', async () => {
    const receiver = await startHangingReceiver();
    const endpoints = await Promise.all(Array.from({ length: 4 }, () => makeEndpoint(receiver.url)));
    const statuses: number[] = [];
    const all = endpoints
      .flatMap((id) => [test(id), test(id)])
      .map(async (response) => statuses.push((await response).status));
    await waitFor('three refusals', () => statuses.length === 3 && receiver.held.size === 5);
    expect(statuses).toEqual([429, 429, 429]);
    receiver.answerAll();
    await Promise.all(all);
    expect(statuses.slice(3)).toEqual([200, 200, 200, 200, 200]);
  });

  it('open fifty connections for a process, however many projects there are', async () => {
    const receiver = await startHangingReceiver();
    const projects = await Promise.all(Array.from({ length: 11 }, makeTestProject));
    const tests = projects.map(async (owner) => {
      const ids = await Promise.all([makeEndpoint(receiver.url, owner), makeEndpoint(receiver.url, owner)]);
      return [ids[0], ids[0], ids[0], ids[1], ids[1]].map((id) => () => test(id as string, owner));
    });
    const statuses: number[] = [];
    const all = (await Promise.all(tests)).flat().map(async (ask) => statuses.push((await ask()).status));
    await waitFor('five refusals', () => statuses.length === 5 && receiver.held.size === 50);
    expect(statuses).toEqual(Array(5).fill(429));
    receiver.answerAll();
    await Promise.all(all);
    expect(statuses.slice(5)).toEqual(Array(50).fill(200));
  });
});

describe('a test whose receiver fails', () => {
  it('releases its slot like any other', async () => {
    const dead = await makeEndpoint('http://127.0.0.1:1/');
    for (let round = 0; round < 4; round += 1) {
      expect((await test(dead)).json).toMatchObject({ succeeded: false, responseStatus: null });
    }
  });
});

describe('a test whose client has disconnected', () => {
  it('is aborted on node:http, and releases its slot', async () => {
    const receiver = await startHangingReceiver();
    const id = await makeEndpoint(receiver.url);
    const headers = { 'x-api-key': project.key };
    const asked = Array.from({ length: 3 }, () => {
      const options = {
        host: '127.0.0.1',
        port: server.port(),
        method: 'POST',
        path: testPath(id),
        headers,
        agent: false,
      };
      const request = httpRequest(options).on('error', () => undefined);
      request.end();
      return request;
    });
    await waitFor('the tests to arrive', () => receiver.held.size === 3);
    expect((await test(id)).status).toBe(429);
    for (const request of asked) request.destroy();
    await waitFor('the connections to be closed', () => receiver.held.size === 0);
    receiver.answerAll();
    expect((await test(id)).json).toMatchObject({ succeeded: true });
  });

  it('is aborted through Next', async () => {
    const receiver = await startHangingReceiver();
    const id = await makeEndpoint(receiver.url);
    const found = toMatcher(api, subtrees)(testPath(id));
    if (found === null) throw new Error('the path is in no table');
    const caller = new AbortController();
    const headers = { 'x-api-key': project.key };
    const request = new Request(`http://localhost${testPath(id)}`, { method: 'POST', headers, signal: caller.signal });
    const response = toNext(found.route, found.entry).POST(request, { params: Promise.resolve(found.params) });
    await waitFor('the test to arrive', () => receiver.held.size === 1);
    caller.abort();
    await waitFor('the connection to be closed', () => receiver.held.size === 0);
    await response;
  });
});

describe('the tests of a project', () => {
  it('are limited to 30 a minute; a refusal has Retry-After, and other projects have their own limit', async () => {
    const receiver = await startReceiver();
    const id = await makeEndpoint(receiver.url);
    for (let round = 0; round < 30; round += 1) expect((await test(id)).status).toBe(200);
    const refused = await test(id);
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({ code: 'rate_limited' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.json.detail).toContain('30 tests in a minute');
    expect(receiver.received).toHaveLength(30);
    const other = await makeTestProject();
    expect((await test(await makeEndpoint(receiver.url, other), other)).status).toBe(200);
  });

  it('are not counted when the caller lacks the permission', async () => {
    const receiver = await startHangingReceiver();
    const id = await makeEndpoint(receiver.url);
    const underWay = Array.from({ length: 3 }, () => test(id));
    await waitFor('the tests to arrive', () => receiver.held.size === 3);
    const viewer = await registerMember(project.owner.organizationId, 'VIEWER');
    const foreign = await makeTestProject();
    const statusOf = async (path: string, credential: object) => (await call('POST', path, credential)).status;
    expect(await statusOf(testPath(id), {})).toBe(401);
    expect(await statusOf(testPath(id), { bearer: viewer.accessToken })).toBe(403);
    expect(await statusOf(testPath(id), { apiKey: foreign.key })).toBe(404);
    expect(await statusOf(testPath(newId()), { apiKey: project.key })).toBe(404);
    expect(await statusOf(testPath(id), { apiKey: project.key })).toBe(429);
    receiver.answerAll();
    await Promise.all(underWay);
  });
});
