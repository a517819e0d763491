import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Attempt, Delivery, Endpoint, EndpointSecret, Subscription, TestResult } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { registerMember } from '@/tests/fixtures/people';
import { type TestProject, useProjects } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();

const url = 'https://receiver.example.com/hooks';
const base = (project: TestProject = projects.mine) => `/api/v1/projects/${project.id}`;
const asOwner = (project: TestProject = projects.mine) => ({ bearer: project.owner.accessToken });

async function makeEndpoint(project: TestProject = projects.mine, body: object = {}): Promise<Endpoint> {
  const made = await call<Endpoint>('POST', `${base(project)}/endpoints`, {
    ...asOwner(project),
    body: { url, ...body },
  });
  expect(made.status, made.text).toBe(201);
  return made.json;
}

describe('endpoints', () => {
  it('can be created, read, changed and deleted; a deleted one gets 404 on every path', async () => {
    const made = await makeEndpoint(projects.mine, { description: 'Billing', retrySeconds: [1, 60] });
    expect(made).toMatchObject({ url, description: 'Billing', enabled: true, retrySeconds: [1, 60] });
    const path = `${base()}/endpoints/${made.id}`;
    const changed = await call<Endpoint>('PATCH', path, { ...asOwner(), body: { enabled: false, description: null } });
    expect(changed.json).toMatchObject({ url, enabled: false, description: null, retrySeconds: [1, 60] });
    expect((await call('DELETE', path, asOwner())).status).toBe(204);
    const after = [
      await call('GET', path, asOwner()),
      await call('PATCH', path, { ...asOwner(), body: {} }),
      await call('DELETE', path, asOwner()),
      await call('GET', `${path}/secret`, asOwner()),
      await call('POST', `${path}/rotate-secret`, asOwner()),
    ];
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  it('refuse a URL that is not HTTP, or that has a password or a fragment', async () => {
    for (const bad of [
      '',
      'nonsense',
      'ftp://a.example',
      'javascript:alert(1)',
      'https://u:p@a.example',
      'https://a.example/#x',
      `https://a.example/${'x'.repeat(2048)}`,
      'https://a.example/\u0000',
    ]) {
      const { json } = await call('POST', `${base()}/endpoints`, { ...asOwner(), body: { url: bad } });
      expect([json.status, json.errors?.[0]?.path], bad).toEqual([400, 'url']);
    }
  });

  it('refuse a retry schedule with anything but whole seconds from 1 to seven days', async () => {
    for (const retrySeconds of [[0], [-1], [1.5], ['5'], [604_801], Array(31).fill(1), 5]) {
      const { status } = await call('POST', `${base()}/endpoints`, { ...asOwner(), body: { url, retrySeconds } });
      expect(status, JSON.stringify(retrySeconds)).toBe(400);
    }
  });

  it('encrypt their secret at rest, reveal it on request, and audit every reveal', async () => {
    const { id } = await makeEndpoint();
    const { json } = await call<EndpointSecret>('GET', `${base()}/endpoints/${id}/secret`, asOwner());
    expect(json.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { rows } = await database().query('SELECT row_to_json(e)::text AS row FROM endpoints e WHERE id = $1', [id]);
    expect(rows[0].row).not.toContain(json.secret);
    expect(rows[0].row).not.toContain(Buffer.from(json.secret.slice(6), 'base64').toString('hex'));
    const audited = await database().query(`SELECT action FROM audit_log WHERE target_id = $1 ORDER BY id`, [id]);
    expect(audited.rows.map(({ action }) => action)).toEqual(['endpoint.created', 'endpoint.secret_revealed']);
  });

  it('rotate to a new secret and keep the old one valid for 24 hours', async () => {
    const { id } = await makeEndpoint();
    const before = await call<EndpointSecret>('GET', `${base()}/endpoints/${id}/secret`, asOwner());
    const rotated = await call<EndpointSecret>('POST', `${base()}/endpoints/${id}/rotate-secret`, asOwner());
    const now = await call<EndpointSecret>('GET', `${base()}/endpoints/${id}/secret`, asOwner());
    expect(rotated.status).toBe(200);
    expect(now.json).toEqual(rotated.json);
    expect(now.json.secret).not.toBe(before.json.secret);
    const end = Date.parse(rotated.json.previousSecretExpiresAt ?? '');
    expect(Math.abs(end - Date.now() - 86_400_000)).toBeLessThan(5_000);
  });

  it('forget their failures when they are enabled again', async () => {
    const { id } = await makeEndpoint();
    await database().query(
      `UPDATE endpoints SET enabled = false, disabled_reason = 'failing', disabled_at = now(), failing_since = now() WHERE id = $1`,
      [id],
    );
    const { json } = await call<Endpoint>('PATCH', `${base()}/endpoints/${id}`, {
      ...asOwner(),
      body: { enabled: true },
    });
    expect(json).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null, failingSince: null });
  });

  it('can be written by a DEVELOPER or a READ_WRITE key, and only read by a VIEWER or a READ_ONLY key', async () => {
    const { mine } = projects;
    const developer = { bearer: (await registerMember(mine.owner.organizationId, 'DEVELOPER')).accessToken };
    const viewer = { bearer: (await registerMember(mine.owner.organizationId, 'VIEWER')).accessToken };
    const { id } = await makeEndpoint();
    const attempt = async (credential: object) => {
      const [read, write, secret] = [
        await call('GET', `${base()}/endpoints`, credential),
        await call('POST', `${base()}/endpoints`, { ...credential, body: { url } }),
        await call('GET', `${base()}/endpoints/${id}/secret`, credential),
      ];
      return [read.status, write.status, secret.status];
    };
    expect(await attempt(developer)).toEqual([200, 201, 200]);
    expect(await attempt({ apiKey: mine.key })).toEqual([200, 201, 200]);
    expect(await attempt(viewer)).toEqual([200, 403, 403]);
    expect(await attempt({ apiKey: mine.readOnlyKey })).toEqual([200, 403, 403]);
    expect(await attempt(asOwner(projects.foreign))).toEqual([404, 404, 404]);
    expect(await attempt({ apiKey: projects.foreign.key })).toEqual([404, 404, 404]);
    expect(await attempt({})).toEqual([401, 401, 401]);
  });
});

describe('testing an endpoint', () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  let [port, status] = [0, 200];
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
    expect(tested.json).toMatchObject({ succeeded: true, responseStatus: 200, error: null });
    const [seen] = received.splice(0);
    const verified = new Webhook(json.secret).verify(seen?.body ?? '', seen?.headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'endpoint.test' });
    expect((await database().query('SELECT count(*) FROM events')).rows).toEqual(before.rows);
  });

  it('signs with both secrets during a rotation', async () => {
    const { id } = await makeEndpoint(projects.mine, here());
    const old = await call<EndpointSecret>('GET', `${base()}/endpoints/${id}/secret`, asOwner());
    const { json } = await call<EndpointSecret>('POST', `${base()}/endpoints/${id}/rotate-secret`, asOwner());
    await test(id);
    const [seen] = received.splice(0);
    for (const secret of [old.json.secret, json.secret]) {
      expect(() => new Webhook(secret).verify(seen?.body ?? '', seen?.headers as Record<string, string>)).not.toThrow();
    }
  });

  it('reports an error status, and an address without a listener', async () => {
    const { id } = await makeEndpoint(projects.mine, here());
    status = 503;
    expect((await test(id)).json).toMatchObject({ succeeded: false, responseStatus: 503 });
    status = 200;
    const dead = await makeEndpoint(projects.mine, { url: 'http://127.0.0.1:1/' });
    const { json } = await test(dead.id);
    expect(json).toMatchObject({ succeeded: false, responseStatus: null });
    expect(json.error).toMatch(/refused/i);
  });

  it('needs write access', async () => {
    const { id } = await makeEndpoint(projects.mine, here());
    const viewer = await registerMember(projects.mine.owner.organizationId, 'VIEWER');
    expect((await test(id, { bearer: viewer.accessToken })).status).toBe(403);
    expect((await test(id, asOwner(projects.foreign))).status).toBe(404);
    expect(received).toHaveLength(0);
    expect((await test(id, { apiKey: projects.mine.key })).status).toBe(200);
    expect(received).toHaveLength(1);
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
    const changed = await call<Subscription>('PATCH', path, { ...asOwner(), body: { eventType: '*', enabled: false } });
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

  it('accept an exact type, a prefix with .*, or *, and nothing else', async () => {
    const { id: endpointId } = await makeEndpoint();
    for (const eventType of ['a', 'order.paid', 'order.item.*', '*']) {
      expect((await make({ endpointId, eventType })).status, eventType).toBe(201);
    }
    for (const eventType of ['', '.*x', 'order.*.paid', '**', 'order*', 'a b', '*.*']) {
      expect((await make({ endpointId, eventType })).status, eventType).toBe(400);
    }
  });

  it('are unique by endpoint and type, even for requests at the same moment', async () => {
    const { id: endpointId } = await makeEndpoint();
    const made = await Promise.all([1, 2, 3, 4].map(() => make({ endpointId, eventType: 'twin' })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('cannot refer to an endpoint of another project', async () => {
    const foreign = await makeEndpoint(projects.foreign);
    expect((await make({ endpointId: foreign.id, eventType: '*' })).status).toBe(404);
    expect((await make({ endpointId: foreign.id, eventType: '*' }, projects.foreign)).status).toBe(201);
  });

  it('are deleted with their endpoint', async () => {
    const endpoint = await makeEndpoint();
    const { json } = await make({ endpointId: endpoint.id, eventType: '*' });
    await call('DELETE', `${base()}/endpoints/${endpoint.id}`, asOwner());
    expect((await call('GET', `${base()}/subscriptions/${json.id}`, asOwner())).status).toBe(404);
  });
});

describe('deliveries', () => {
  let endpoint: Endpoint;
  let deliveryId: string;
  let eventId: string;

  beforeAll(async () => {
    endpoint = await makeEndpoint();
    const sent = await call<{ id: string }>('POST', '/api/v1/events', {
      apiKey: projects.mine.key,
      body: { type: 'order.paid', data: {} },
    });
    eventId = sent.json.id;
    deliveryId = newId();
    await database().query(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, stored_attempts, completed_at, last_error)
       VALUES ($1, $2, $3, $4, 'FAILED', 12, 12, now(), 'HTTP 500')`,
      [deliveryId, projects.mine.id, eventId, endpoint.id],
    );
    await database().query(
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, response_status, succeeded)
       SELECT ('01900000-0000-7000-8000-0000000000' || lpad(n::text, 2, '0'))::uuid, $1, $2, n, now(), 5, 500, false
       FROM generate_series(1, 12) n`,
      [projects.mine.id, deliveryId],
    );
  });

  it('are listed by status, endpoint and event, and counted in the event', async () => {
    const list = async (query: string) =>
      (await call<Listing<Delivery>>('GET', `${base()}/deliveries${query}`, asOwner())).json.data.map(({ id }) => id);
    for (const query of ['', '?status=FAILED', `?endpointId=${endpoint.id}`, `?eventId=${eventId}`]) {
      expect(await list(query), query).toEqual([deliveryId]);
    }
    expect(await list('?status=PENDING')).toEqual([]);
    expect(await list(`?endpointId=${newId()}`)).toEqual([]);
    const event = await call<{ deliveries: Delivery[] }>('GET', `${base()}/events/${eventId}`, asOwner());
    expect(event.json.deliveries).toMatchObject([{ id: deliveryId, eventType: 'order.paid', lastError: 'HTTP 500' }]);
  });

  it('list their attempts newest first, in pages', async () => {
    const path = `${base()}/deliveries/${deliveryId}/attempts?limit=10`;
    const first = await call<Listing<Attempt>>('GET', path, asOwner());
    const second = await call<Listing<Attempt>>('GET', `${path}&cursor=${first.json.nextCursor}`, asOwner());
    const numbers = [...first.json.data, ...second.json.data].map(({ attemptNumber }) => attemptNumber);
    expect(numbers).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('are due at once after a retry, whether they failed or succeeded', async () => {
    for (const status of ['FAILED', 'SUCCEEDED']) {
      await database().query(`UPDATE deliveries SET status = $2::"DeliveryStatus", schedule_step = 9 WHERE id = $1`, [
        deliveryId,
        status,
      ]);
      const retried = await call<Delivery>('POST', `${base()}/deliveries/${deliveryId}/retry`, asOwner());
      expect(retried.status).toBe(202);
      expect(retried.json).toMatchObject({ status: 'PENDING', completedAt: null });
      expect(Date.parse(retried.json.nextAttemptAt ?? '')).toBeLessThanOrEqual(Date.now() + 1_000);
    }
  });

  it('are not retried while their endpoint is disabled', async () => {
    const path = `${base()}/endpoints/${endpoint.id}`;
    await call('PATCH', path, { ...asOwner(), body: { enabled: false } });
    const refused = await call('POST', `${base()}/deliveries/${deliveryId}/retry`, asOwner());
    expect(refused.json).toMatchObject({ status: 409, code: 'conflict' });
    await call('PATCH', path, { ...asOwner(), body: { enabled: true } });
    expect((await call('POST', `${base()}/deliveries/${deliveryId}/retry`, asOwner())).status).toBe(202);
  });

  it('of another project get 404 and are not changed', async () => {
    const { mine, foreign } = projects;
    for (const [project, credential] of [
      [mine, asOwner(foreign)],
      [foreign, asOwner(foreign)],
      [mine, { apiKey: foreign.key }],
      [foreign, { apiKey: foreign.key }],
    ] as const) {
      for (const [method, suffix] of [
        ['GET', ''],
        ['GET', '/attempts'],
        ['POST', '/retry'],
      ] as const) {
        const { status } = await call(method, `${base(project)}/deliveries/${deliveryId}${suffix}`, credential);
        expect(status, `${method} ${suffix}`).toBe(404);
      }
    }
  });

  it('can be retried by a DEVELOPER or a READ_WRITE key only', async () => {
    const retry = (credential: object) => call('POST', `${base()}/deliveries/${deliveryId}/retry`, credential);
    const viewer = await registerMember(projects.mine.owner.organizationId, 'VIEWER');
    expect((await retry({ bearer: viewer.accessToken })).json.code).toBe('forbidden');
    expect((await retry({ apiKey: projects.mine.readOnlyKey })).json.code).toBe('read_only_key');
    expect((await retry({ apiKey: projects.mine.key })).status).toBe(202);
  });
});
