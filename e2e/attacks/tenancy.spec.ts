import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { useTarget } from '@/e2e/support/target';
import { createTenantTools, EVENT, statusAndCode, withKey } from '@/e2e/support/tenants';

// One product for all tests. Each test creates the organizations that it attacks. lib/api/tenancy attacks every route.
test.describe.configure({ mode: 'default' });

const target = useTarget();
const { makeTenant, sendRawPath, stateOf } = createTenantTools(target);

test('cursors with ids of another project return nothing of it', async () => {
  const victim = await makeTenant();
  const stranger = await makeTenant();
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
  const victim = await makeTenant();
  const stranger = await makeTenant();
  const before = await stateOf(victim);
  const mine = stranger.projectId;
  const theirs = victim.projectId;
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
  const victim = await makeTenant();
  const stranger = await makeTenant();
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
