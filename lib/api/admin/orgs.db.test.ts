import { describe, expect, it } from 'vitest';
import type { OrganizationDetail, OrganizationOverview } from '@/lib/admin/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { countProjectRows, fillProject } from '@/tests/fixtures/full-project';
import { ADMIN_TOKEN, callAsOperator } from '@/tests/fixtures/operator';
import { makeProject, registerMember, registerPerson } from '@/tests/fixtures/people';
import { makeTestProject } from '@/tests/fixtures/projects';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });

const list = async (query: string) =>
  (await callAsOperator<Listing<OrganizationOverview>>('GET', `/orgs?${query}`)).json;
const detail = (id: string) => callAsOperator<OrganizationDetail>('GET', `/orgs/${id}`);

/** A deleted organization whose rows are still being removed. */
async function insertDeleted(name: string): Promise<string> {
  const id = newId();
  await database().query('INSERT INTO organizations (id, name, deleted_at) VALUES ($1, $2, now())', [id, name]);
  return id;
}

describe('the list of every organization', () => {
  it('shows the organizations of all people, newest first, with their counts', async () => {
    const [first, second] = [await registerPerson(), await registerPerson()];
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
    const [living, deleted] = [(await registerPerson()).organizationId, await insertDeleted('gone')];
    const find = async (query: string) => (await list(`limit=100${query}`)).data.map(({ id }) => id);
    expect(await find('')).toEqual(expect.arrayContaining([living, deleted]));
    expect(await find('&deleted=true')).toEqual([deleted]);
    const alive = await find('&deleted=false');
    expect(alive).toContain(living);
    expect(alive).not.toContain(deleted);
    expect((await callAsOperator('GET', '/orgs?deleted=maybe')).status).toBe(400);
  });

  it('has pages that do not shift', async () => {
    const mark = newId();
    const made: string[] = [];
    for (let n = 0; n < 3; n++) made.push((await registerPerson({ organizationName: `${mark} ${n}` })).organizationId);
    const first = await list(`name=${mark}&limit=2`);
    await registerPerson({ organizationName: `${mark} new` });
    const second = await list(`name=${mark}&limit=2&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made.reverse());
    expect(second.nextCursor).toBeNull();
  });
});

describe('one organization', () => {
  it('is shown with its members, projects, counts and stored data', async () => {
    const { id: projectId, owner } = await makeTestProject();
    const viewer = await registerMember(owner.organizationId, 'VIEWER');
    await fillProject(projectId, { events: 4, attempts: 2 });
    await database().query('UPDATE deliveries SET stored_attempts = 2 WHERE event_id IS NOT NULL');
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

  it('counts nothing of another organization', async () => {
    const [mine, foreign] = [await makeTestProject(), await makeTestProject()];
    await fillProject(foreign.id);
    const { json } = await detail(mine.owner.organizationId);
    expect(json.counts.endpoints).toBe(0);
    expect(json.storage.map(({ rows }) => rows)).toEqual([0, 0, 0, 0]);
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
  const { rows } = await database().query<{ count: number }>('SELECT count(*)::int AS count FROM audit_log');
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
});
