import { describe, expect, it } from 'vitest';
import type { OrganizationDetail, OrganizationOverview, Stats } from '@/lib/admin/schema';
import { DAY_MS } from '@/lib/platform/clock';
import { lowestIdAt, newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { countProjectRows, fillProject } from '@/tests/fixtures/full-project';
import { queuedMails } from '@/tests/fixtures/mails';
import { invite } from '@/tests/fixtures/members';
import { ADMIN_TOKEN, callAsOperator } from '@/tests/fixtures/operator';
import { freshEmail, makeProject, PASSWORD, registerMember, registerPerson } from '@/tests/fixtures/people';
import { makeTestProject } from '@/tests/fixtures/projects';
import { tryLogin } from '@/tests/fixtures/sign-in-limits';
import { call, sendThroughTable, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });

const list = async (query: string) =>
  (await callAsOperator<Listing<OrganizationOverview>>('GET', `/orgs?${query}`)).json;

const detail = (id: string) => callAsOperator<OrganizationDetail>('GET', `/orgs/${id}`);

/** A deleted organization whose rows are still being removed. */
async function insertDeleted(name: string): Promise<string> {
  const id = newId();
  await run('INSERT INTO organizations (id, name, deleted_at) VALUES ($1, $2, now())', id, name);
  return id;
}

describe('the list of every organization', () => {
  it('shows the organizations of all people, newest first, with their counts', async () => {
    const first = await registerPerson();
    const second = await registerPerson();
    await registerMember(first.organizationId, 'VIEWER');
    await makeProject(first);
    const { data } = await list('limit=100');
    const ids = data.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(ids).toContain(second.organizationId);
    expect(data.find(({ id }) => id === first.organizationId)).toEqual({
      id: first.organizationId,
      name: expect.any(String),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      deletedAt: null,
      memberCount: 2,
      projectCount: 1,
    });
  });

  it('filters by part of a name, case-insensitively and without wildcards', async () => {
    const mark = newId().slice(-12);
    const person = await registerPerson({ organizationName: `Ünïque 100% ${mark}_x` });
    const find = async (name: string) => (await list(`name=${encodeURIComponent(name)}`)).data.map(({ id }) => id);
    expect(await find(`ÜNÏQUE 100% ${mark}`)).toEqual([person.organizationId]);
    expect(await find(`100% ${mark}`)).toEqual([person.organizationId]);
    expect(await find(`${mark}%x`)).toEqual([]);
  });

  it('separates organizations that are being removed from the others', async () => {
    const living = (await registerPerson()).organizationId;
    const deleted = await insertDeleted('gone');
    const find = async (query: string) => (await list(`limit=100${query}`)).data.map(({ id }) => id);
    expect(await find('')).toEqual(expect.arrayContaining([living, deleted]));
    expect(await find('&deleted=true')).toEqual([deleted]);
    const alive = await find('&deleted=false');
    expect(alive).toContain(living);
    expect(alive).not.toContain(deleted);
    expect((await callAsOperator('GET', '/orgs?deleted=maybe')).status).toBe(400);
  });
});

describe('one organization', () => {
  it('is shown with its members, projects, counts and stored data', async () => {
    const { id: projectId, owner } = await makeTestProject();
    const viewer = await registerMember(owner.organizationId, 'VIEWER');
    await fillProject(projectId, { events: 4, attempts: 2 });
    await fillProject((await makeTestProject()).id);
    await run('UPDATE deliveries SET stored_attempts = 2 WHERE event_id IS NOT NULL');
    const { json, status } = await detail(owner.organizationId);
    expect(status).toBe(200);
    expect(json.members.map(({ userId, email, role }) => ({ userId, email, role }))).toEqual([
      { userId: owner.userId, email: owner.email, role: 'OWNER' },
      { userId: viewer.userId, email: viewer.email, role: 'VIEWER' },
    ]);
    expect(json.projects).toEqual([expect.objectContaining({ id: projectId, name: 'Shop', deletedAt: null })]);
    expect(json.counts).toEqual({
      invitations: 0,
      apiKeys: 4,
      endpoints: 1,
      subscriptions: 1,
      sources: 1,
      destinations: 1,
      tunnels: 1,
    });
    const rows = Object.fromEntries(json.storage.map(({ kind, rows }) => [kind, rows]));
    expect(rows).toEqual({ events: 4, incomingEvents: 1, deliveries: 5, attempts: 8 });
    expect(json.storage.every(({ isAtLeast }) => !isAtLeast)).toBe(true);
  });

  it('is shown while it is being removed; an unknown one gets 404', async () => {
    expect((await detail(await insertDeleted('gone'))).json.deletedAt).not.toBeNull();
    expect((await detail(newId())).status).toBe(404);
    expect((await detail('not-an-id')).status).toBe(404);
  });

  it('records in its audit log that the operator viewed it', async () => {
    const { organizationId } = await registerPerson();
    await detail(organizationId);
    expect((await auditOf(organizationId)).at(-1)).toMatchObject({
      action: 'organization.viewed',
      actor_type: 'OPERATOR',
      actor_id: null,
      ip_address: TEST_ADDRESS,
    });
    const before = await countAudit();
    expect((await detail(newId())).status).toBe(404);
    expect(await countAudit()).toBe(before);
  });
});

async function countAudit(): Promise<number> {
  const rows = await select<{ count: number }>('SELECT count(*)::int AS count FROM audit_log');
  return rows[0]?.count ?? 0;
}

describe('erasing an organization', () => {
  it('removes it with everything in it, and records the operator', async () => {
    const { id: projectId, owner, key } = await makeTestProject();
    await fillProject(projectId);
    const response = await callAsOperator('DELETE', `/orgs/${owner.organizationId}`);
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect(Object.values(await countProjectRows(projectId)).every((count) => count === 0)).toBe(true);
    expect((await call('GET', `/api/v1/projects/${projectId}/events`, { apiKey: key })).status).toBe(401);
    expect((await auditOf(owner.organizationId)).at(-1)).toMatchObject({
      action: 'organization.deleted',
      actor_type: 'OPERATOR',
      ip_address: TEST_ADDRESS,
    });
    expect((await callAsOperator('DELETE', `/orgs/${owner.organizationId}`)).status).toBe(404);
  });

  it('removes the emails of its invitations, and of no others', async () => {
    const [owner, other] = [await registerPerson(), await registerPerson()];
    const email = freshEmail();
    await invite(owner, owner.organizationId, email);
    await invite(other, other.organizationId, email);
    expect(await queuedMails(email)).toHaveLength(2);
    const kept = (await queuedMails(email))[1];
    expect((await callAsOperator('DELETE', `/orgs/${owner.organizationId}`)).status).toBe(204);
    expect(await queuedMails(email)).toEqual([kept]);
  });
});

const stats = async () => (await callAsOperator<Stats>('GET', '/stats')).json;

describe('the statistics', () => {
  it('count organizations, users, projects, and endpoints that are enabled, paused or disabled', async () => {
    const before = await stats();
    const { id: projectId } = await makeTestProject();
    await fillProject(projectId, { events: 3 });
    const after = await stats();
    expect(after.organizations.living).toBe(before.organizations.living + 1);
    expect([after.users - before.users, after.projects - before.projects]).toEqual([1, 1]);
    expect(after.endpoints.enabled).toBe(before.endpoints.enabled + 1);
    const { enabled, paused, disabled } = before.endpoints;
    await run('UPDATE endpoints SET enabled = false WHERE project_id = $1', projectId);
    expect((await stats()).endpoints).toEqual({ enabled, paused: paused + 1, disabled });
    await run("UPDATE endpoints SET disabled_reason = 'gone' WHERE project_id = $1", projectId);
    expect((await stats()).endpoints).toEqual({ enabled, paused, disabled: disabled + 1 });
  });

  it('count deliveries of the last 24 hours by status, and nothing older', async () => {
    const { id: projectId } = await makeTestProject();
    const before = (await stats()).last24Hours;
    await fillProject(projectId, { events: 3 });
    await run(
      `INSERT INTO events (id, project_id, type, payload, created_at) VALUES ($1, $2, 'old', '{}', now() - interval '25 h')`,
      lowestIdAt(new Date(Date.now() - DAY_MS - 3_600_000)),
      projectId,
    );
    const after = (await stats()).last24Hours;
    expect(after.events - before.events).toBe(3);
    expect(after.incomingEvents - before.incomingEvents).toBe(1);
    expect(after.deliveries.failed - before.deliveries.failed).toBe(4);
    expect(after.deliveries.succeeded).toBe(before.deliveries.succeeded);
  });

  it('show the backlogs and their oldest rows, mails separate from events', async () => {
    await run('DELETE FROM outbox');
    await run('DELETE FROM deliveries');
    const { id: projectId } = await makeTestProject();
    await run('DELETE FROM outbox');
    await run('DELETE FROM mails');
    await fillProject(projectId, { events: 2 });
    await run(
      `UPDATE outbox SET status = 'DEAD', dead_at = now() WHERE id = (SELECT id FROM outbox ORDER BY id LIMIT 1)`,
    );
    await run(
      `UPDATE deliveries SET status = 'PENDING', next_attempt_at = now() - interval '1 minute' WHERE project_id = $1`,
      projectId,
    );
    await run(
      `UPDATE deliveries SET next_attempt_at = now() + interval '1 hour', attempt_count = 1 WHERE id = (SELECT id FROM deliveries WHERE project_id = $1 LIMIT 1)`,
      projectId,
    );
    const { outbox, mail, deliveries } = await stats();
    expect(outbox).toEqual({ pending: 1, oldestPendingAt: expect.stringMatching(/Z$/), dead: 1 });
    expect(mail).toEqual({ pending: 0, oldestPendingAt: null, dead: 0 });
    expect(deliveries).toMatchObject({ pending: 3, queued: 2, retrying: 1, due: 2 });
    expect(Date.parse(deliveries.oldestDueAt ?? '')).toBeLessThan(Date.now() - 30_000);
    await registerPerson();
    expect((await stats()).mail.pending).toBe(1);
    expect((await stats()).outbox.pending).toBe(1);
  });
});

/** Columns with credentials or payloads. */
const SECRET_COLUMN = /hash|encrypted|payload|(?:^|_)body$|(?:^|_)headers$|^subject$/;

/** Every secret of the database in the forms in which a response could show it. */
async function listSecrets(): Promise<Map<string, string>> {
  const columns = await select<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = ANY (current_schemas(false))
       AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition) ORDER BY 1, 2`,
  );
  const secrets = new Map<string, string>();
  for (const { table_name, column_name } of columns.filter((column) => SECRET_COLUMN.test(column.column_name))) {
    const rows = await select<{ value: unknown }>(
      `SELECT DISTINCT ${column_name} AS value FROM ${table_name} WHERE ${column_name} IS NOT NULL`,
    );
    for (const { value } of rows) {
      const forms = Buffer.isBuffer(value)
        ? (['hex', 'base64', 'base64url', 'utf8'] as const).map((form) => value.toString(form))
        : [String(value)];
      for (const form of forms) if (form.length > 4) secrets.set(form, `${table_name}.${column_name}`);
    }
  }
  return secrets;
}

it('no response to the operator contains a secret, a hash, a payload or a token', async () => {
  const { id, owner, key, readOnlyKey } = await makeTestProject();
  await fillProject(id);
  await run(`UPDATE events SET payload = '{"card":"4111-secret"}'`);
  await tryLogin(owner.email, 'wrong');
  const person = await registerPerson();
  await run(
    `INSERT INTO identities (id, user_id, issuer, subject) VALUES (gen_random_uuid(), $1, 'https://issuer.example', 'subject-4711')`,
    person.userId,
  );
  const secrets = await listSecrets();
  for (const given of [key, readOnlyKey, owner.accessToken, owner.refreshToken, PASSWORD, ADMIN_TOKEN]) {
    secrets.set(given, 'given out');
  }
  expect(secrets.size).toBeGreaterThan(30);
  const paths = ['/orgs?limit=100', `/orgs/${owner.organizationId}`, '/users?limit=100', '/audit-log?limit=100'];
  for (const path of [...paths, '/stats', '/retention']) {
    const response = await sendThroughTable({
      method: 'GET',
      path: `/api/v1/admin${path}`,
      headers: { 'x-platform-admin-token': ADMIN_TOKEN },
      body: null,
    });
    expect(response.status, path).toBe(200);
    for (const [secret, where] of secrets) expect(response.text.includes(secret), `${path} shows ${where}`).toBe(false);
  }
});
