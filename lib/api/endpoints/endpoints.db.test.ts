import { createServer, request as httpRequest, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api, subtrees } from '@/lib/api/table';
import { closeDeliveryPools } from '@/lib/delivery/engine/send-once';
import type { Endpoint, EndpointSecret, Subscription, TestResult } from '@/lib/delivery/schema';
import { toNext } from '@/lib/http/next-adapter';
import { toMatcher } from '@/lib/http/table';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { RECEIVER_URL, useEndpoints } from '@/tests/fixtures/endpoints';
import { setRole } from '@/tests/fixtures/members';
import { asPerson, registerMember } from '@/tests/fixtures/people';
import { openPortal } from '@/tests/fixtures/portal';
import { makeKey, makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { useWebServer } from '@/tests/http/adapters';
import { call, type Problem } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();

describe('endpoints and subscriptions', () => {
  const { projects, asOwner, base, makeEndpoint } = useEndpoints();

  describe('endpoints', () => {
    it('can be created, changed and deleted', async () => {
      const made = await makeEndpoint(projects.mine, { description: 'Billing', retrySeconds: [1, 60] });
      expect(made).toMatchObject({ url: RECEIVER_URL, description: 'Billing', enabled: true, retrySeconds: [1, 60] });
      const path = `${base()}/endpoints/${made.id}`;
      const changed = await call<Endpoint>('PATCH', path, {
        ...asOwner(),
        body: { enabled: false, description: null },
      });
      expect(changed.json).toMatchObject({
        url: RECEIVER_URL,
        enabled: false,
        description: null,
        retrySeconds: [1, 60],
      });
      expect((await call('DELETE', path, asOwner())).status).toBe(204);
    });

    it('that are created disabled are so since then', async () => {
      const { createdAt, disabledAt } = await makeEndpoint(projects.mine, { enabled: false });
      expect(disabledAt).toBe(createdAt);
      expect((await makeEndpoint(projects.mine, {})).disabledAt).toBeNull();
    });
  });

  describe('testing an endpoint', () => {
    const received: { headers: IncomingHttpHeaders; body: string }[] = [];
    let port = 0;
    const status = 200;
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.writeHead(status).end('seen');
      });
    });

    beforeAll(async () => {
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
      port = (receiver.address() as AddressInfo).port;
    });
    afterAll(() => receiver.close());
    beforeEach(() => {
      received.length = 0;
    });

    const test = async (endpointId: string, credential: object = asOwner()) =>
      call<TestResult>('POST', `${base()}/endpoints/${endpointId}/test`, credential);
    const here = () => ({ url: `http://127.0.0.1:${port}/hook` });

    it('sends one event at once, signed with the secret of the endpoint, and stores none', async () => {
      const { id } = await makeEndpoint(projects.mine, here());
      const { json } = await call<EndpointSecret>('GET', `${base()}/endpoints/${id}/secret`, asOwner());
      const before = await database().query('SELECT count(*) FROM events');
      const tested = await test(id);
      expect(tested.json).toMatchObject({ succeeded: true, responseStatus: 200, error: null, responseBody: 'seen' });
      const [seen] = received.splice(0);
      const verified = new Webhook(json.secret).verify(seen?.body ?? '', seen?.headers as Record<string, string>);
      expect(verified).toMatchObject({ type: 'endpoint.test' });
      expect(await select('SELECT count(*) FROM events')).toEqual(before.rows);
    });

    it('sends the given type, and data without changing a digit, and shows the request and the response', async () => {
      const { id } = await makeEndpoint(projects.mine, here());
      const body = '{"type":"order.paid","data":{"n":12345678901234567890,"price":1.10}}';
      const { json } = await call<TestResult>('POST', `${base()}/endpoints/${id}/test`, { ...asOwner(), body });
      const [seen] = received.splice(0);
      expect(seen?.body).toMatch(/^\{"type":"order\.paid",.*"data":\{"n":12345678901234567890,"price":1\.10\}\}$/);
      expect(json.request).toMatchObject({ method: 'POST', url: here().url, body: seen?.body });
      expect(Object.fromEntries(json.request?.headers ?? [])).toEqual(seen?.headers);
      expect(json).toMatchObject({ remoteAddress: `127.0.0.1:${port}`, timing: { firstByteMs: expect.any(Number) } });
      expect(Object.fromEntries(json.responseHeaders ?? [])).toHaveProperty('date');
    });

    it('shows nothing to those who lose their access while the receiver takes its time', async () => {
      const { id: projectId, owner } = projects.mine;
      const slow = await startReceiver((response) => void setTimeout(() => response.end(), 500));
      const { id: customer } = (
        await call<{ id: string }>('POST', `${base()}/customers`, { ...asOwner(), body: { uid: 'slow' } })
      ).json;
      const { id: endpointId } = await makeEndpoint(projects.mine, { url: slow.url });
      const { id: ofCustomer } = await makeEndpoint(projects.mine, { url: slow.url, customer: 'slow' });
      const developer = await registerMember(owner.organizationId, 'DEVELOPER');
      const { id: keyId, key } = await makeKey(projectId, owner, { name: 'revoked' });
      const portal = await openPortal(projectId, customer, asOwner());
      const portalTest = () => call('POST', `/api/v1/portal/endpoints/${ofCustomer}/test`, { bearer: portal });
      const running = () => [test(endpointId, asPerson(developer)), test(endpointId, { apiKey: key }), portalTest()];
      expect((await Promise.all(running())).map(({ status }) => status)).toEqual([200, 200, 200]);
      const ended = running();
      await waitFor('the requests', () => slow.received.length === 6);
      await setRole(owner.organizationId, developer, 'VIEWER');
      await call('DELETE', `${base()}/api-keys/${keyId}`, asOwner());
      await call('DELETE', `${base()}/customers/${customer}`, asOwner());
      expect((await Promise.all(ended)).map(({ status }) => status)).toEqual([403, 401, 401]);
    });

    it.each([
      [{ type: 'with space' }, 400],
      [{ data: [1] }, 400],
      [{ data: {}, extra: 1 }, 400],
      [{ data: { a: 'x'.repeat(256 * 1024) } }, 413],
    ])('refuses a bad event', async (body, status) => {
      const { id } = await makeEndpoint(projects.mine, here());
      const refused = await call('POST', `${base()}/endpoints/${id}/test`, { ...asOwner(), body });
      expect([refused.status, received.length]).toEqual([status, 0]);
    });
  });

  describe('subscriptions', () => {
    const make = (body: object, project = projects.mine) =>
      call<Subscription>('POST', `${base(project)}/subscriptions`, { ...asOwner(project), body });

    it('can be created, changed, listed by endpoint and deleted', async () => {
      const endpoint = await makeEndpoint();
      const made = await make({ endpointId: endpoint.id, eventType: 'order.*' });
      expect(made.status).toBe(201);
      const path = `${base()}/subscriptions/${made.json.id}`;
      const changed = await call<Subscription>('PATCH', path, {
        ...asOwner(),
        body: { eventType: '*', enabled: false },
      });
      expect(changed.json).toMatchObject({ endpointId: endpoint.id, eventType: '*', enabled: false });
      const listed = await call<Listing<Subscription>>(
        'GET',
        `${base()}/subscriptions?endpointId=${endpoint.id}`,
        asOwner(),
      );
      expect(listed.json.data.map(({ id }) => id)).toEqual([made.json.id]);
      expect((await call('DELETE', path, asOwner())).status).toBe(204);
      expect((await call('GET', path, asOwner())).status).toBe(404);
    });

    it('are unique by endpoint and type, even for requests at the same moment', async () => {
      const { id: endpointId } = await makeEndpoint();
      const made = await Promise.all([1, 2, 3, 4].map(() => make({ endpointId, eventType: 'twin' })));
      expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    });

    it('are deleted with their endpoint', async () => {
      const endpoint = await makeEndpoint();
      const { json } = await make({ endpointId: endpoint.id, eventType: '*' });
      await call('DELETE', `${base()}/endpoints/${endpoint.id}`, asOwner());
      expect((await call('GET', `${base()}/subscriptions/${json.id}`, asOwner())).status).toBe(404);
    });
  });
});

describe('limits of tests', () => {
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
      const hanging = await makeEndpoint(receiver.url);
      const other = await makeTestProject();
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

    it('leave places for others: beyond fifty, each owner may run one test', async () => {
      const receiver = await startHangingReceiver();
      const make = async () => {
        const owner = await makeTestProject();
        return {
          owner,
          ids: [await makeEndpoint(receiver.url, owner), await makeEndpoint(receiver.url, owner)] as const,
        };
      };
      const many = await Promise.all(Array.from({ length: 10 }, make));
      const others = await Promise.all([make(), make()]);
      const running = many.flatMap(({ owner, ids: [a, b] }) => [a, a, a, b, b].map((id) => test(id, owner)));
      await waitFor('fifty connections', () => receiver.held.size === 50);
      for (const { owner, ids } of others) {
        const before = receiver.held.size;
        running.push(test(ids[0], owner));
        await waitFor('the first test of the owner', () => receiver.held.size === before + 1);
        expect(await test(ids[1], owner)).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
      }
      receiver.answerAll();
      expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(52).fill(200));
    });

    it('are a hundred in a process, however many owners there are', async () => {
      const id = await makeEndpoint((await startReceiver()).url);
      setOnce('endpoint-tests', new Map([['process', 100]]));
      expect(await test(id)).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
      setOnce('endpoint-tests', new Map([['process', 99]]));
      expect((await test(id)).status).toBe(200);
      setOnce('endpoint-tests', undefined);
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
      const request = new Request(`http://localhost${testPath(id)}`, {
        method: 'POST',
        headers,
        signal: caller.signal,
      });
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
      expect(await statusOf(testPath(id), asPerson(viewer))).toBe(403);
      expect(await statusOf(testPath(id), { apiKey: foreign.key })).toBe(404);
      expect(await statusOf(testPath(newId()), { apiKey: project.key })).toBe(404);
      expect(await statusOf(testPath(id), { apiKey: project.key })).toBe(429);
      receiver.answerAll();
      await Promise.all(underWay);
    });
  });
});
