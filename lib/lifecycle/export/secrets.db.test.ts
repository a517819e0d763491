import { beforeAll, expect, it } from 'vitest';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { encrypt } from '@/lib/platform/encryption';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { fillProject } from '@/tests/fixtures/full-project';
import { makeProject, PASSWORD, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { makeKey } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();

/** Every secret, in the form in which it was returned or received. */
const plaintexts: Record<string, string> = {};
let text: string;

async function post<T>(path: string, person: TestPerson, body: object = {}): Promise<T> {
  const response = await call<T>('POST', path, { bearer: person.accessToken, body });
  expect(response.status, response.text).toBeLessThan(300);
  return response.json;
}

const seal = (name: string): Buffer => {
  plaintexts[name] = `${name.replaceAll(' ', '-')}-${newId()}`;
  return encrypt(plaintexts[name], name);
};

/** Rows that no route creates yet, with values that can be searched for. */
async function plantSecrets(projectId: string): Promise<void> {
  const inProject = 'WHERE project_id = $1';
  const plants: [text: string, values: unknown[]][] = [
    [
      `UPDATE sources SET token_encrypted = $2, previous_token_hash = $3, secret_encrypted = $4,
              previous_secret_encrypted = $5 ${inProject}`,
      [seal('source token'), sha256('previous token'), seal('source secret'), seal('previous source secret')],
    ],
    [
      `UPDATE destinations SET auth_encrypted = $2, secret_encrypted = $3, previous_secret_encrypted = $4 ${inProject}`,
      [seal('destination auth'), seal('destination secret'), seal('previous destination secret')],
    ],
    [
      `UPDATE alerts SET target_encrypted = $2, secret_encrypted = $3, previous_secret_encrypted = $4 ${inProject}`,
      [seal('alert target'), seal('alert secret'), seal('previous alert secret')],
    ],
    [`UPDATE tunnels SET token_encrypted = $2 ${inProject}`, [seal('tunnel token')]],
    [
      `UPDATE tunnel_request_log SET path = '/path-of-a-tunnel', request_headers = $2, response_headers = $3,
              request_body = $4, response_body = $5 ${inProject}`,
      ['tunnel-headers', 'tunnel-response-headers', Buffer.from('tunnel-body'), Buffer.from('tunnel-response-body')],
    ],
    [`UPDATE events SET payload = $2, idempotency_key = $3, body_hash = $4 ${inProject} `, plantEvent()],
    [
      `UPDATE incoming_events SET headers = $2, body = $3, large_body = $4 ${inProject}`,
      ['incoming-headers', Buffer.from('incoming-body'), Buffer.from('large-incoming-body')],
    ],
    [`UPDATE delivery_attempts SET response_body = $2 ${inProject}`, ['response-of-a-receiver']],
  ];
  for (const [sql, values] of plants) {
    const { rowCount } = await database().query(sql, [projectId, ...values]);
    expect(rowCount, sql).toBeGreaterThan(0);
  }
}

function plantEvent(): unknown[] {
  return ['{"payload":"of-an-event"}', 'idempotency-of-an-event', Buffer.from('hash-of-a-body')];
}

beforeAll(async () => {
  const owner = await registerPerson();
  const { id } = await makeProject(owner);
  await fillProject(id, { events: 1, attempts: 1 });
  plaintexts.key = (await makeKey(id, owner, { name: 'server' })).key;
  const endpoint = await post<{ id: string }>(`/api/v1/projects/${id}/endpoints`, owner, {
    url: 'https://r.example',
    headers: { 'X-Hidden': 'a hidden value' },
  });
  const secretPath = `/api/v1/projects/${id}/endpoints/${endpoint.id}`;
  const before = await call<{ secret: string }>('GET', `${secretPath}/secret`, { bearer: owner.accessToken });
  plaintexts['previous secret'] = before.json.secret;
  plaintexts.secret = (await post<{ secret: string }>(`${secretPath}/rotate-secret`, owner)).secret;
  const invitations = `/api/v1/orgs/${owner.organizationId}/invitations`;
  const invitation = await post<{ id: string }>(invitations, owner, { email: 'x@example.com', role: 'VIEWER' });
  plaintexts['invitation link'] = (await post<{ url: string }>(`${invitations}/${invitation.id}/link`, owner)).url;
  const device = await post<{ deviceCode: string; userCode: string }>('/api/v1/auth/device/code', owner);
  Object.assign(plaintexts, device, { verificationUri: '', verificationUriComplete: '', expiresIn: '', interval: '' });
  await post('/api/v1/auth/device/approve', owner, { userCode: device.userCode });
  await call('POST', '/api/v1/auth/login', { body: { email: owner.email, password: 'wrong password' } });
  const { accessToken, refreshToken } = owner;
  Object.assign(plaintexts, { accessToken, refreshToken, password: PASSWORD });
  await plantSecrets(id);
  const exported = await call('GET', `/api/v1/orgs/${owner.organizationId}/export`, { bearer: accessToken });
  expect(exported.status).toBe(200);
  text = exported.text;
});

it('an export contains no secret that was shown once', () => {
  const secrets = Object.entries(plaintexts).filter(([, value]) => value !== '');
  expect(secrets.length).toBeGreaterThan(11);
  for (const [name, value] of secrets) expect(text.includes(value), name).toBe(false);
});

it('an export contains no value of a binary column: no hash, no encrypted secret', async () => {
  const { rows: columns } = await database().query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = ANY (current_schemas(false)) AND data_type = 'bytea'
       AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition)
       -- Of the version before the table of mails.
       AND (table_name, column_name) <> ('outbox', 'payload_encrypted') ORDER BY 1, 2`,
  );
  expect(columns.length).toBeGreaterThan(15);
  for (const { table, column } of columns) {
    const { rows } = await database().query<{ value: Buffer }>(
      `SELECT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    expect(rows.length, `${table}.${column} is empty: nothing is tried`).toBeGreaterThan(0);
    for (const { value } of rows) {
      for (const form of ['hex', 'base64', 'base64url'] as const) {
        expect(text.includes(value.toString(form)), `${table}.${column} as ${form}`).toBe(false);
      }
    }
  }
});

it('an export contains no payload, no response of a receiver, and no password hash', async () => {
  const { rows } = await database().query<{ name: string; value: string }>(
    `SELECT 'payload' AS name, payload AS value FROM events
     UNION ALL SELECT 'idempotency key', idempotency_key FROM events WHERE idempotency_key IS NOT NULL
     UNION ALL SELECT 'incoming headers', headers FROM incoming_events
     UNION ALL SELECT 'incoming body', convert_from(body, 'UTF8') FROM incoming_events
     UNION ALL SELECT 'tunnel path', path FROM tunnel_request_log
     UNION ALL SELECT 'tunnel headers', request_headers FROM tunnel_request_log
     UNION ALL SELECT 'tunnel response headers', response_headers FROM tunnel_request_log
     UNION ALL SELECT 'tunnel body', convert_from(request_body, 'UTF8') FROM tunnel_request_log
     UNION ALL SELECT 'tunnel response body', convert_from(response_body, 'UTF8') FROM tunnel_request_log
     UNION ALL SELECT 'response body', response_body FROM delivery_attempts WHERE response_body IS NOT NULL
     UNION ALL SELECT 'password hash', password_hash FROM users WHERE password_hash IS NOT NULL`,
  );
  expect(new Set(rows.map(({ name }) => name)).size).toBe(11);
  for (const { name, value } of rows) {
    expect(text.includes(value), name).toBe(false);
    expect(text.includes(JSON.stringify(value).slice(1, -1)), `${name}, escaped`).toBe(false);
  }
});

it('an export contains no public address of a source or tunnel, because its token is part of it', () => {
  expect(text).not.toMatch(/\/ingress\/|\/t\/[\w-]+/);
});
