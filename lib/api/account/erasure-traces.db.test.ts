import { beforeAll, describe, expect, it } from 'vitest';
import type { DeviceCodes, SignedIn } from '@/lib/auth/schema';
import { privateHeaders } from '@/lib/http/private-headers';
import { finishErasures } from '@/lib/lifecycle/finish-erasures';
import { newId } from '@/lib/platform/ids';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { asPerson, registerPerson } from '@/tests/fixtures/people';
import { sendThroughNext } from '@/tests/http/adapters';
import { type Call, callOver } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import { type CapturedLog, captureLog } from '@/tests/monitoring/captured-log';

// Logs at every level, as text, with the real serializers and redaction.
const db = useDatabase();
let log: CapturedLog;
beforeAll(() => {
  log = captureLog({ DATABASE_URL: db.url });
});

/** Text that identifies the person. Searched in any case and in any text encoding. */
const PERSON = {
  email: 'zephyrine.quillfeather@unmistakable.example',
  name: 'Zephyrine Quillfeather',
  firstName: 'Zephyrine',
  ipAddress: '198.51.100.213',
  userAgent: 'QuillBrowser/77.1 (Plumed Platypus)',
  client: 'eds on quill-laptop',
};
const PASSWORD = 'plumed platypus parade';
/** What their own organization subscribed to. */
const EVENT_TYPE = 'plume.lost';

const throughNext = callOver(sendThroughNext);
const call: Call = (method, path, options) => {
  const client = privateHeaders({ clientAddress: PERSON.ipAddress, requestId: newId() });
  return throughNext(method, path, {
    ...options,
    headers: { ...options?.headers, ...client, 'user-agent': PERSON.userAgent },
  });
};

async function ok<T>(method: string, path: string, options: Parameters<typeof call>[2] = {}): Promise<T> {
  const response = await call<T>(method, path, options);
  expect(response.status, `${method} ${path}: ${response.text}`).toBeLessThan(300);
  return response.json;
}

/** Every value of every text-like column of every table, partitions included, as lines that name their column. */
async function dump(): Promise<string[]> {
  const columns = await select<{
    table: string;
    column: string;
    type: string;
  }>(`SELECT format('%I.%I', table_schema, table_name) AS table, column_name AS column, udt_name AS type
     FROM information_schema.columns
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
       AND udt_name IN ('text', 'varchar', 'bpchar', 'name', 'json', 'jsonb', 'inet', 'cidr', 'bytea', '_text', '_varchar')`);
  const lines: string[] = [];
  for (const { table, column, type } of columns) {
    const value = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const rows = await select<{ value: string }>(
      `SELECT ${value} AS value FROM ${table} WHERE "${column}" IS NOT NULL`,
    );
    lines.push(...rows.map((row) => `${table}.${column}: ${row.value}`));
  }
  return lines;
}

const needles = Object.values(PERSON).map((needle) => needle.toLowerCase());
const tracesIn = (lines: string[]) =>
  lines.filter((line) => needles.some((needle) => line.toLowerCase().includes(needle)));

interface Life {
  accessToken: string;
  userId: string;
  otherProjectId: string;
}

/** Does everything a person can do that leaves a trace. */
async function liveALife(): Promise<Life> {
  const { accessToken: bearer, user } = await ok<SignedIn>('POST', '/api/v1/auth/register', {
    body: { email: PERSON.email, name: PERSON.name, password: PASSWORD },
  });
  const login = (password: string) =>
    call<SignedIn>('POST', '/api/v1/auth/login', { body: { email: PERSON.email, password } });
  expect((await login('a wrong password')).status).toBe(401);
  expect((await login(PASSWORD)).status).toBe(200);
  expect((await login('another wrong one')).status).toBe(401);
  await ok('POST', '/api/v1/auth/forgot-password', { body: { email: PERSON.email } });
  await ok('POST', '/api/v1/auth/resend-verification', { bearer });
  for (const exchanges of [true, false]) {
    const codes = await ok<DeviceCodes>('POST', '/api/v1/auth/device/code', { body: { clientName: PERSON.client } });
    await ok('POST', '/api/v1/auth/device/approve', { bearer, body: { userCode: codes.userCode } });
    if (exchanges) await ok('POST', '/api/v1/auth/device/token', { body: { deviceCode: codes.deviceCode } });
  }
  const { data } = await ok<{ data: { id: string }[] }>('GET', '/api/v1/orgs', { bearer });
  await useProject(bearer, data[0]?.id ?? '', EVENT_TYPE);
  return { accessToken: bearer, userId: user.id, otherProjectId: await joinAnother(bearer, user.id) };
}

async function useProject(bearer: string, organizationId: string, eventType = '*'): Promise<string> {
  const post = <T>(path: string, body: object) => ok<T>('POST', `/api/v1${path}`, { bearer, body });
  const project = await post<{ id: string }>(`/orgs/${organizationId}/projects`, { name: 'Shop' });
  const { key } = await post<{ key: string }>(`/projects/${project.id}/api-keys`, { name: 'server' });
  const endpoint = await post<{ id: string }>(`/projects/${project.id}/endpoints`, {
    url: 'https://receiver.example/',
  });
  await post(`/projects/${project.id}/subscriptions`, { endpointId: endpoint.id, eventType });
  await ok('GET', `/api/v1/projects/${project.id}/endpoints/${endpoint.id}/secret`, { bearer });
  // From the person's browser.
  const headers = { origin: 'http://localhost:3000' };
  await ok('POST', '/api/v1/events', { apiKey: key, headers, body: { type: 'order.created', data: { total: 1 } } });
  return project.id;
}

/** Joins a remaining organization, works there, invites and is invited. */
async function joinAnother(bearer: string, userId: string): Promise<string> {
  const owner = await registerPerson({ organizationName: 'Engines' });
  const { organizationId } = owner;
  await run(
    `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'ADMIN')`,
    organizationId,
    userId,
  );
  await ok('POST', '/api/v1/auth/switch-organization', { bearer, body: { organizationId } });
  for (const [email, invitedBy] of [
    [PERSON.email, owner.userId],
    ['friend@example.com', userId],
  ] as const) {
    await run(
      `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by_id, expires_at)
       VALUES ($1, $2, $3, 'VIEWER', $4, $5, now() + interval '7 days')`,
      newId(),
      organizationId,
      email,
      Buffer.from(newId()),
      invitedBy,
    );
  }
  return useProject(bearer, organizationId);
}

async function mailsAreQueued(userId: string): Promise<boolean> {
  const rows = await select(`SELECT FROM user_tokens WHERE user_id = $1 AND purpose = 'RESET_PASSWORD'`, userId);
  return rows.length > 0;
}

describe('after the erasure of a person who used everything', () => {
  let life: Life;
  let traces: string[];

  beforeAll(async () => {
    life = await liveALife();
    await waitFor('the reset mail', () => mailsAreQueued(life.userId));
    await run('UPDATE users SET email_verified_at = now() WHERE id = $1', life.userId);
    const before = await dump();
    traces = [...tracesIn(before), ...before.filter((line) => line.includes(EVENT_TYPE))];
    // Provokes an error whose message from PostgreSQL quotes the row, including the address.
    await run('ALTER TABLE users ADD CONSTRAINT provoked CHECK (name IS NULL) NOT VALID');
    const body = { email: `second.${PERSON.email}`, name: PERSON.name, password: PASSWORD };
    expect((await call('POST', '/api/v1/auth/register', { body })).status).toBe(500);
    await run('ALTER TABLE users DROP CONSTRAINT provoked');
    expect((await call('DELETE', '/api/v1/auth/me', asPerson(life))).status).toBe(204);
  });

  it('the search would have found the traces before the erasure', () => {
    const found = new Set(traces.map((line) => line.split(':')[0]));
    const expected = ['users.email', 'users.name', 'organizations.name', 'sessions.ip_address', 'sessions.user_agent'];
    const others = ['sessions.client_name', 'device_codes.ip_address', 'audit_log.ip_address', 'invitations.email'];
    for (const column of [...expected, ...others]) expect(found).toContain(`public.${column}`);
  });

  it('no table contains their address, name, IP address or user agent', async () => {
    const lines = await dump();
    expect(lines.length).toBeGreaterThan(50);
    expect(tracesIn(lines)).toEqual([]);
    await finishErasures();
    expect(tracesIn(await dump())).toEqual([]);
    expect(traces.filter((line) => line.includes(EVENT_TYPE)).length).toBeGreaterThan(0);
    expect((await dump()).filter((line) => line.includes(EVENT_TYPE))).toEqual([]);
  });

  it('what they created in a remaining organization is kept', async () => {
    const rows = await select('SELECT count(*)::int AS count FROM events WHERE project_id = $1', life.otherProjectId);
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('the log never contained any of it', () => {
    expect(log.text).toContain('"msg":"request served"');
    expect(log.text).toContain('"msg":"request failed"');
    expect(tracesIn(log.text.split('\n'))).toEqual([]);
  });
});
