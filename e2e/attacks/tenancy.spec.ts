import { expect, test } from '@playwright/test';
import type { AttackRequest } from '@/e2e/support/attacker';
import { useTarget } from '@/e2e/support/target';
import { createTenantTools, EVENT, statusAndCode, type Tenant, withKey } from '@/e2e/support/tenants';

// One product for all tests. Each test creates the organizations that it attacks.
test.describe.configure({ mode: 'default' });

const target = useTarget();
const { makeTenant, stateOf } = createTenantTools(target);

/** All requests to a project: method, path after the project, body. */
function requestsTo(t: Tenant): [method: string, path: string, body?: object][] {
  const { endpointId, subscriptionId, apiKeyId, eventId, deliveryId } = t;
  return [
    ['GET', ''],
    ['GET', '/events'],
    ['GET', `/events/${eventId}`],
    ['GET', '/endpoints'],
    ['POST', '/endpoints', { url: 'https://evil.example/' }],
    ['GET', `/endpoints/${endpointId}`],
    ['PATCH', `/endpoints/${endpointId}`, { url: 'https://evil.example/' }],
    ['DELETE', `/endpoints/${endpointId}`],
    ['GET', `/endpoints/${endpointId}/secret`],
    ['POST', `/endpoints/${endpointId}/rotate-secret`],
    ['POST', `/endpoints/${endpointId}/test`],
    ['POST', '/subscriptions', { endpointId, eventType: 'order.*' }],
    ['PATCH', `/subscriptions/${subscriptionId}`, { enabled: false }],
    ['DELETE', `/subscriptions/${subscriptionId}`],
    ['GET', `/deliveries/${deliveryId}`],
    ['GET', `/deliveries/${deliveryId}/attempts`],
    ['POST', `/deliveries/${deliveryId}/retry`],
    ['PATCH', '', { name: 'Mine now' }],
    ['DELETE', ''],
    ['GET', `/api-keys/${apiKeyId}`],
    ['POST', '/api-keys', { name: 'mine' }],
    ['DELETE', `/api-keys/${apiKeyId}`],
    ['POST', `/api-keys/${apiKeyId}/rotate`, {}],
  ];
}

/** Paths that refuse every API key with person_required. */
const isForPeople = (method: string, path: string) => path.startsWith('/api-keys') || (path === '' && method !== 'GET');

test('a stranger who knows every id cannot access a project with their token or key', async () => {
  const [victim, stranger] = [await makeTenant(), await makeTenant()];
  const before = await stateOf(victim);
  for (const [method, path, body] of requestsTo(victim)) {
    const sent = body === undefined ? {} : { body };
    const what = `${method} ${path}`;
    for (const root of [victim.projectId, victim.projectId.toUpperCase()]) {
      const asPerson = await target.send(method, `/projects/${root}${path}`, { token: stranger.token, ...sent });
      expect(statusAndCode(asPerson), what).toBe('404 not_found');
      const asKey = await target.send(method, `/projects/${root}${path}`, { ...withKey(stranger.key), ...sent });
      expect(statusAndCode(asKey), what).toBe(isForPeople(method, path) ? '403 person_required' : '404 not_found');
      expect(`${asPerson.text}${asKey.text}`, what).not.toContain('Vault');
    }
    // The resource is the victim's, the project the stranger's.
    if (!/[0-9a-f]{8}-/.test(path) && body === undefined) continue;
    if (path === '' || path === '/endpoints' || path === '/api-keys') continue;
    const mixed = await target.send(method, `/projects/${stranger.projectId}${path}`, {
      token: stranger.token,
      ...sent,
    });
    expect(statusAndCode(mixed), `mixed ${what}`).toBe('404 not_found');
  }
  expect(await stateOf(victim)).toEqual(before);
  for (const [method, path] of requestsTo(victim).filter(([method]) => method === 'GET')) {
    for (const root of [victim.projectId, victim.projectId.toUpperCase()]) {
      const own = await target.send(method, `/projects/${root}${path}`, { token: victim.token });
      expect(own.status, `${method} ${path}`).toBe(200);
    }
  }
});

test('a stranger cannot access an organization', async () => {
  const [victim, stranger] = [await makeTenant(), await makeTenant()];
  const before = await stateOf(victim);
  const ways: [string, string, object?][] = [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine now' }],
    ['DELETE', ''],
    ['GET', '/members'],
    ['PATCH', `/members/${victim.userId}`, { role: 'VIEWER' }],
    ['DELETE', `/members/${victim.userId}`],
    ['DELETE', `/members/${stranger.userId}`],
    ['GET', '/invitations'],
    ['POST', '/invitations', { email: stranger.email, role: 'OWNER' }],
    ['GET', '/audit-log'],
    ['GET', '/export'],
    ['GET', '/projects'],
    ['POST', '/projects', { name: 'Mine' }],
  ];
  for (const [method, path, body] of ways) {
    const sent = body === undefined ? {} : { body };
    const at = `/orgs/${victim.organizationId}${path}`;
    expect(statusAndCode(await target.send(method, at, { token: stranger.token, ...sent })), at).toBe('404 not_found');
    const asKey = await target.send(method, at, { ...withKey(stranger.key), ...sent });
    expect(statusAndCode(asKey), at).toBe('403 person_required');
  }
  const to = { organizationId: victim.organizationId };
  const switched = await target.send('POST', '/auth/switch-organization', { token: stranger.token, body: to });
  expect(statusAndCode(switched)).toBe('404 not_found');
  expect(await stateOf(victim)).toEqual(before);
  for (const [method, path] of ways.filter(([method]) => method === 'GET')) {
    const own = await target.send(method, `/orgs/${victim.organizationId}${path}`, { token: victim.token });
    expect(own.status, path).toBe(200);
  }
  expect((await target.send('POST', '/auth/switch-organization', { token: victim.token, body: to })).status).toBe(200);
});

test("a stranger's key cannot store events in another project on the fast lane", async () => {
  const [victim, stranger] = [await makeTenant(), await makeTenant()];
  const before = await stateOf(victim);
  const send = (path: string, body: object = EVENT) => target.send('POST', path, { ...withKey(stranger.key), body });
  for (const id of [victim.projectId, victim.projectId.toUpperCase()]) {
    expect(statusAndCode(await send(`/projects/${id}/events`))).toBe('404 not_found');
    expect(statusAndCode(await send(`/projects/${id}/events`, { type: 7 }))).toBe('404 not_found');
    const bearer = await target.send('POST', `/projects/${id}/events`, { token: stranger.token, body: EVENT });
    expect(statusAndCode(bearer)).toBe('403 key_required');
  }
  for (const field of ['projectId', 'project_id', 'organizationId', 'endpointId', '__proto__']) {
    const raw = JSON.stringify(EVENT).replace('{', `{"${field}":"${victim.projectId}",`);
    const response = await target.send('POST', '/events', { ...withKey(stranger.key), raw });
    expect(statusAndCode(response), field).toBe('400 validation_failed');
  }
  for (const query of [
    `projectId=${victim.projectId}`,
    `projectId=${stranger.projectId}&projectId=${victim.projectId}`,
  ]) {
    expect(statusAndCode(await send(`/events?${query}`))).toBe('400 validation_failed');
  }
  // Simultaneous events are stored in one batch; each keeps its own key and project.
  const burst = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      index % 2 === 0 ? send(`/projects/${victim.projectId}/events`) : send(`/projects/${stranger.projectId}/events`),
    ),
  );
  expect(burst.map(({ status }) => status)).toEqual(burst.map((_, index) => (index % 2 === 0 ? 404 : 202)));
  // Idempotency keys are separate per project: neither project sees the other's response.
  const keyed = (key: string) => ({ headers: { 'x-api-key': key, 'idempotency-key': 'order-1' }, body: EVENT });
  const theirs = await target.send('POST', '/events', keyed(stranger.key));
  expect([theirs.status, theirs.headers['idempotent-replayed']]).toEqual([202, undefined]);
  expect(await stateOf(victim)).toEqual(before);
  const own = await target.send('POST', '/events', keyed(victim.key));
  expect([own.status, own.headers['idempotent-replayed']]).toEqual([202, undefined]);
  expect(own.json.id).not.toBe(theirs.json.id);
  expect((await target.send('POST', '/events', keyed(victim.key))).headers['idempotent-replayed']).toBe('true');
});

test('filters and cursors with ids of another project return nothing of it', async () => {
  const [victim, stranger] = [await makeTenant(), await makeTenant()];
  const read = async (t: Tenant, path: string, options: AttackRequest) =>
    (await target.send('GET', `/projects/${t.projectId}${path}`, options)).json.data;
  for (const options of [{ token: stranger.token }, withKey(stranger.key)]) {
    for (const [list, name] of [
      ['deliveries', 'endpointId'],
      ['deliveries', 'eventId'],
      ['subscriptions', 'endpointId'],
    ] as const) {
      expect(await read(stranger, `/${list}?${name}=${victim[name]}`, options), `${list} ${name}`).toEqual([]);
      expect(await read(stranger, `/${list}?${name}=${stranger[name]}`, options), `${list} ${name}`).toHaveLength(1);
    }
    for (const list of ['events', 'deliveries', 'subscriptions', 'endpoints']) {
      for (const cursor of Object.values(victim).filter((value) => /^[0-9a-f-]{36}$/.test(value))) {
        const found = await target.send('GET', `/projects/${stranger.projectId}/${list}?cursor=${cursor}`, options);
        const ids = Object.entries(victim).filter(([name]) => /Id$/.test(name));
        for (const [name, id] of ids) expect(found.text.includes(id), `${list}: ${name}`).toBe(false);
      }
    }
  }
  expect(await read(victim, `/deliveries?eventId=${victim.eventId}`, { token: victim.token })).toHaveLength(1);
});
