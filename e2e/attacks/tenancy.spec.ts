import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { useTarget } from '@/e2e/support/target';
import { createTenantTools, EVENT, statusAndCode, withKey } from '@/e2e/support/tenants';

// One product for all tests. Each test creates the organizations that it attacks. lib/api/tenancy attacks every route.
test.describe.configure({ mode: 'default' });

const target = useTarget();
const { join, make, makeTenant, sendRawPath, stateOf } = createTenantTools(target);

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

test('cursors with ids of another project return nothing of it', async () => {
  const [victim, stranger] = [await makeTenant(), await makeTenant()];
  for (const options of [{ token: stranger.token }, withKey(stranger.key)]) {
    for (const list of ['events', 'deliveries', 'subscriptions', 'endpoints']) {
      for (const cursor of Object.values(victim).filter((value) => /^[0-9a-f-]{36}$/.test(value))) {
        const found = await target.send('GET', `/projects/${stranger.projectId}/${list}?cursor=${cursor}`, options);
        const ids = Object.entries(victim).filter(([name]) => /Id$/.test(name));
        for (const [name, id] of ids) expect(found.text.includes(id), `${list}: ${name}`).toBe(false);
      }
    }
  }
});

test('slashes, dots and other spellings of an id give no access, on either lane', async () => {
  const [victim, stranger] = [await makeTenant(), await makeTenant()];
  const before = await stateOf(victim);
  const [mine, theirs] = [stranger.projectId, victim.projectId];
  const spellings = [
    `${mine}%2f..%2f${theirs}`,
    `${mine}/../${theirs}`,
    `${mine}/%2e%2e/${theirs}`,
    `${mine}%5c..%5c${theirs}`,
    `${mine}%2Fevents%2F..%2F..%2F${theirs}`,
    `${mine};${theirs}`,
    `${mine},${theirs}`,
    `${mine}%00${theirs}`,
    `${mine}%0a`,
    `%20${theirs}`,
    `${theirs}%20`,
    `{${theirs}}`,
    theirs.replaceAll('-', ''),
    `urn:uuid:${theirs}`,
    `${theirs}%27%20OR%20%271%27=%271`,
    '..',
    '%2e%2e',
    '*',
    '%25',
    'null',
    '00000000-0000-0000-0000-000000000000',
  ];
  for (const spelling of spellings) {
    const at = `/api/v1/projects/${spelling}`;
    for (const options of [{ token: stranger.token }, withKey(stranger.key)]) {
      for (const tail of ['', '/endpoints', '/events']) {
        expect((await sendRawPath('GET', at + tail, options)).status, `GET ${spelling}${tail}`).toBe(404);
      }
      const body = { url: 'https://evil.example/' };
      expect((await sendRawPath('POST', `${at}/endpoints`, { ...options, body })).status, `POST ${spelling}`).toBe(404);
    }
    const { status } = await sendRawPath('POST', `${at}/events`, { ...withKey(stranger.key), body: EVENT });
    expect(status, `events of ${spelling}`).toBe(404);
  }
  for (const path of [`/api/v1/./projects/${theirs}`, `/api/v1/%2e/projects/${theirs}`]) {
    expect((await sendRawPath('GET', path, { token: stranger.token })).status, path).toBe(404);
  }
  // No path of the API, and no page.
  expect((await sendRawPath('GET', `//api/v1/projects/${theirs}`, { token: stranger.token })).status).toBe(404);
  expect((await sendRawPath('GET', `/api/v1/projects/${mine}`, { token: stranger.token })).status).toBe(200);
  expect(await stateOf(victim)).toEqual(before);
});

test('headers that override the method or path, and unusual methods, change and reveal nothing', async () => {
  const [victim, stranger] = [await makeTenant(), await makeTenant()];
  const before = await stateOf(victim);
  const path = `/projects/${victim.projectId}/endpoints/${victim.endpointId}`;
  const own = `/projects/${stranger.projectId}`;
  const renaming = {
    'x-http-method-override': 'DELETE',
    'x-http-method': 'DELETE',
    'x-method-override': 'DELETE',
    'x-original-url': `/api/v1${path}`,
    'x-rewrite-url': `/api/v1${path}`,
    'x-forwarded-uri': `/api/v1${path}`,
    'x-invoke-path': `/api/v1${path}`,
    'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware',
    'x-organization-id': victim.organizationId,
    'x-project-id': victim.projectId,
    'x-eds-client-address': '127.0.0.1',
  };
  for (const [name, value] of Object.entries(renaming)) {
    const headers = { [name]: value };
    expect(statusAndCode(await target.send('GET', path, { token: stranger.token, headers })), name).toBe(
      '404 not_found',
    );
    const read = await target.send('GET', own, { token: stranger.token, headers });
    expect([read.status, read.json.id], name).toEqual([200, stranger.projectId]);
    const posted = await target.send('POST', `${own}/endpoints?_method=DELETE`, {
      token: stranger.token,
      headers,
      body: {},
    });
    expect(posted.status, name).toBe(400);
  }
  const unknown = `/projects/${stranger.projectId}/endpoints/${randomUUID()}`;
  for (const options of [{}, { token: stranger.token }, withKey(stranger.key)]) {
    for (const verb of ['HEAD', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND']) {
      const there = await sendRawPath(verb, `/api/v1${path}`, options);
      expect(there, verb).toEqual(await sendRawPath(verb, `/api/v1${unknown}`, options));
      expect(verb === 'OPTIONS' ? there.status === 204 : there.status >= 400, verb).toBe(true);
    }
  }
  expect((await sendRawPath('HEAD', `/api/v1${path}`, { token: victim.token })).status).toBe(200);
  expect(await stateOf(victim)).toEqual(before);
});

test('fields that would move a resource into another organization are refused by name', async () => {
  const [victim, stranger] = [await makeTenant(), await makeTenant()];
  const before = await stateOf(victim);
  const { token } = stranger;
  const changes: [string, string, object][] = [
    ['PATCH', `/orgs/${stranger.organizationId}`, { name: 'Renamed' }],
    ['POST', `/orgs/${stranger.organizationId}/projects`, { name: 'Second' }],
    ['PATCH', `/projects/${stranger.projectId}`, { name: 'Renamed' }],
    ['POST', `/projects/${stranger.projectId}/api-keys`, { name: 'second' }],
    ['POST', `/projects/${stranger.projectId}/endpoints`, { url: 'http://127.0.0.1:9/second' }],
    ['PATCH', `/projects/${stranger.projectId}/endpoints/${stranger.endpointId}`, { description: 'renamed' }],
    ['PATCH', `/projects/${stranger.projectId}/subscriptions/${stranger.subscriptionId}`, { eventType: 'a.*' }],
  ];
  const fields = {
    organizationId: victim.organizationId,
    organization_id: victim.organizationId,
    orgId: victim.organizationId,
  };
  const more = { projectId: victim.projectId, project: { connect: { id: victim.projectId } }, id: victim.projectId };
  for (const [method, path, body] of changes) {
    for (const [name, value] of Object.entries({ ...fields, ...more })) {
      const response = await target.send(method, path, { token, body: { ...body, [name]: value } });
      expect(statusAndCode(response), `${path} ${name}`).toBe('400 validation_failed');
      expect(response.text).toContain(name);
    }
    const merge = { 'content-type': 'application/merge-patch+json' };
    const raw = JSON.stringify({ ...body, ...fields });
    expect([400, 415]).toContain((await target.send(method, path, { token, raw, headers: merge })).status);
    expect((await target.send(method, path, { token, body })).status, path).toBeLessThan(300);
  }
  const path = `/projects/${stranger.projectId}/subscriptions`;
  const foreign = await target.send('POST', path, { token, body: { endpointId: victim.endpointId, eventType: 'b' } });
  expect(statusAndCode(foreign)).toBe('404 not_found');
  const body = { endpointId: stranger.endpointId, eventType: 'b' };
  expect((await target.send('POST', path, { token, body })).status).toBe(201);
  expect(await stateOf(victim)).toEqual(before);
});

test('a member removed during their requests is refused from the next request', async () => {
  const [victim, member] = [await makeTenant(), await target.makeVictim()];
  await join(victim, member, 'ADMIN');
  const at = `/orgs/${victim.organizationId}/members/${member.userId}`;
  const create = (index: number) =>
    target.send('POST', `/orgs/${victim.organizationId}/projects`, {
      token: member.token,
      body: { name: `P${index}` },
    });
  expect((await create(0)).status).toBe(201);
  const during = Array.from({ length: 20 }, (_, index) => create(index + 1));
  const removal = target.send('DELETE', at, { token: victim.token });
  expect((await removal).status).toBe(204);
  const after = await Promise.all(Array.from({ length: 10 }, (_, index) => create(index + 100)));
  expect(new Set(after.map(statusAndCode))).toEqual(new Set(['404 not_found']));
  // Each concurrent request ran either before or after the removal.
  const made = (await Promise.all(during)).map(({ status }) => status);
  for (const status of made) expect([201, 404]).toContain(status);
  const { rows } = await target.database.query(
    'SELECT count(*)::int AS count FROM projects WHERE organization_id = $1',
    [victim.organizationId],
  );
  expect(rows[0].count).toBe(2 + made.filter((status) => status === 201).length);
  expect((await target.whoAmI(member.token)).json.organizations.map(({ id }: { id: string }) => id)).toEqual([
    member.organizationId,
  ]);
  expect((await target.send('GET', `/projects/${victim.projectId}`, { token: member.token })).status).toBe(404);
  expect((await target.send('GET', `/projects/${victim.projectId}`, { token: victim.token })).status).toBe(200);
});

test('a demoted member has the permissions of the new role from the next request, whatever their token says', async () => {
  const [victim, member] = [await makeTenant(), await target.makeVictim()];
  await join(victim, member, 'ADMIN');
  const body = { organizationId: victim.organizationId };
  const switched = await target.send('POST', '/auth/switch-organization', { token: member.token, body });
  const token = switched.json.accessToken;
  const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  expect([claims.org, claims.role]).toEqual([victim.organizationId, 'ADMIN']);
  const may = async () => {
    const rename = await target.send('PATCH', `/projects/${victim.projectId}`, { token, body: { name: 'Vault' } });
    const secret = await target.send('GET', `/projects/${victim.projectId}/endpoints/${victim.endpointId}/secret`, {
      token,
    });
    const read = await target.send('GET', `/projects/${victim.projectId}`, { token });
    return [rename, secret, read].map(({ status }) => status);
  };
  const at = `/orgs/${victim.organizationId}/members/${member.userId}`;
  const demote = (role: string) => target.send('PATCH', at, { token: victim.token, body: { role } });
  expect(await may()).toEqual([200, 200, 200]);
  expect((await demote('DEVELOPER')).status).toBe(200);
  expect(await may()).toEqual([403, 200, 200]);
  expect((await demote('VIEWER')).status).toBe(200);
  expect(await may()).toEqual([403, 403, 200]);
  const itself = await target.send('PATCH', at, { token, body: { role: 'OWNER' } });
  expect(statusAndCode(itself)).toBe('403 forbidden');
  expect((await demote('ADMIN')).status).toBe(200);
  expect(await may()).toEqual([200, 200, 200]);
});

test('a revoked key is refused from the next request on both lanes; another key still works', async () => {
  const tenant = await makeTenant();
  const project = `/projects/${tenant.projectId}`;
  const { key: other } = await make(`${project}/api-keys`, { token: tenant.token, body: { name: 'other' } });
  const tryAll = async (key: string) => {
    const options = withKey(key);
    const responses = [
      await target.send('POST', '/events', { ...options, body: EVENT }),
      await target.send('POST', `${project}/events`, { ...options, body: EVENT }),
      await target.send('GET', `${project}/events`, options),
    ];
    return responses.map(statusAndCode);
  };
  expect(await tryAll(tenant.key)).toEqual(['202', '202', '200']);
  const during = Array.from({ length: 20 }, () =>
    target.send('POST', '/events', { ...withKey(tenant.key), body: EVENT }),
  );
  const revoked = await target.send('DELETE', `${project}/api-keys/${tenant.apiKeyId}`, { token: tenant.token });
  expect(revoked.status).toBe(204);
  expect(await tryAll(tenant.key)).toEqual(Array(3).fill('401 api_key_revoked'));
  for (const response of await Promise.all(during))
    expect(['202', '401 api_key_revoked']).toContain(statusAndCode(response));
  expect(await tryAll(other)).toEqual(['202', '202', '200']);
});

test('a deleted project or organization is gone for its members and keys from the next request', async () => {
  for (const what of ['project', 'organization'] as const) {
    const [victim, neighbour] = [await makeTenant(), await makeTenant()];
    const at = what === 'project' ? `/projects/${victim.projectId}` : `/orgs/${victim.organizationId}`;
    expect((await target.send('DELETE', at, { token: victim.token })).status).toBe(204);
    expect(statusAndCode(await target.send('GET', `/projects/${victim.projectId}`, { token: victim.token }))).toBe(
      '404 not_found',
    );
    for (const path of ['/events', `/projects/${victim.projectId}/events`]) {
      const response = await target.send('POST', path, { ...withKey(victim.key), body: EVENT });
      expect(statusAndCode(response), `${what}: ${path}`).toBe('401 invalid_api_key');
    }
    const own = await target.send('POST', '/events', { ...withKey(neighbour.key), body: EVENT });
    expect(own.status).toBe(202);
  }
});
