import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { BASE_URL } from '@/e2e/support/api';
import { type AttackRequest, type AttackResponse, createAttacker } from '@/e2e/support/attacker';
import { checkResponse, flattenHeaders } from '@/e2e/support/check-response';
import { runSql } from '@/e2e/support/run-sql';
import { makePerson, type Person } from '@/e2e/support/team';

// Each test creates the organizations that it attacks. lib/api/tenancy attacks every route.

const EVENT = { type: 'order.created', data: { total: 1 } };
const send = createAttacker(BASE_URL);

/** A person with a project that has one resource of each kind. */
interface Tenant extends Person {
  projectId: string;
  endpointId: string;
  key: string;
}

const withKey = (key: string): AttackRequest => ({ headers: { 'x-api-key': key } });
const statusAndCode = ({ status, json }: AttackResponse) => `${status} ${json?.code ?? ''}`.trim();

interface RawPathResponse {
  status: number;
  allow: string | undefined;
}

/** Sends a path unchanged, with the credentials and the body of an attack: a URL parser would resolve its dots. */
function sendRawPath(
  method: string,
  path: string,
  { token, headers = {}, body }: AttackRequest,
): Promise<RawPathResponse> {
  const sent = {
    ...headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const { port } = new URL(BASE_URL);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, headers: sent, agent: false }, async (response) => {
      const { statusCode: status = 0, headers: received } = response;
      try {
        const answer = { status, headers: flattenHeaders(received), text: await readText(response) };
        checkResponse(method, `${BASE_URL}${path}`, answer);
        resolve({ status, allow: received.allow });
      } catch (error) {
        reject(error);
      }
    })
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function make(path: string, options: AttackRequest): Promise<AttackResponse['json']> {
  const response = await send('POST', path, options);
  expect(response.status, `${path}: ${response.text}`).toBeLessThan(300);
  return response.json;
}

async function makeTenant(): Promise<Tenant> {
  const person = await makePerson('Viola Victim');
  const { token } = person;
  const { id: projectId } = await make(`/orgs/${person.organizationId}/projects`, { token, body: { name: 'Vault' } });
  const project = `/projects/${projectId}`;
  const { key } = await make(`${project}/api-keys`, { token, body: { name: 'Vault key' } });
  const url = 'http://127.0.0.1:9/vault';
  const { id: endpointId } = await make(`${project}/endpoints`, { token, body: { url, description: 'Vault' } });
  await make(`${project}/subscriptions`, { token, body: { endpointId, eventType: '*' } });
  await make('/events', { ...withKey(key), body: EVENT });
  const deliveries = () => send('GET', `${project}/deliveries`, { token });
  await expect.poll(async () => (await deliveries()).json.data.length).toBe(1);
  return { ...person, projectId, endpointId, key };
}

/** Returns everything of a tenant that an attacker could change. Leaves out fields that deliveries change. */
async function stateOf({ projectId, organizationId }: Tenant): Promise<unknown> {
  const [state] = await runSql(
    `SELECT
     (SELECT json_agg(o) FROM organizations o WHERE id = $2) AS organization,
     (SELECT json_agg(p) FROM projects p WHERE organization_id = $2) AS projects,
     (SELECT json_agg(m ORDER BY user_id) FROM memberships m WHERE organization_id = $2) AS members,
     (SELECT json_agg(i) FROM invitations i WHERE organization_id = $2) AS invitations,
     (SELECT json_agg(to_jsonb(k) - 'last_used_at' ORDER BY id) FROM api_keys k WHERE project_id = $1) AS keys,
     (SELECT json_agg(to_jsonb(e) - 'failing_since' - 'updated_at' ORDER BY id) FROM endpoints e WHERE project_id = $1) AS endpoints,
     (SELECT json_agg(s ORDER BY id) FROM subscriptions s WHERE project_id = $1) AS subscriptions,
     (SELECT json_agg(v.id ORDER BY id) FROM events v WHERE project_id = $1) AS events,
     (SELECT json_agg(d.id ORDER BY id) FROM deliveries d WHERE project_id = $1) AS deliveries,
     (SELECT count(*) FROM audit_log WHERE organization_id = $2) AS audit`,
    [projectId, organizationId],
  );
  return state;
}

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
    expect(statusAndCode(await send('GET', path, { token: stranger.token, headers })), name).toBe('404 not_found');
    const read = await send('GET', own, { token: stranger.token, headers });
    expect([read.status, read.json.id], name).toEqual([200, stranger.projectId]);
    const posted = await send('POST', `${own}/endpoints?_method=DELETE`, {
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
