import { describe, expect, it } from 'vitest';
import { findTenantOfProject, sumStoredBytes } from '@/lib/orgs/orgs-sql';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { HIGHEST_ID, LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf, insertAudit } from '@/tests/fixtures/audit';
import { insertProject } from '@/tests/fixtures/deliveries';
import { makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { deleteOrganizations } from './erase-organization';
import { selectDeletedCustomers } from './purge-customers-sql';
import { purgeOrganizations, removeOrganization } from './purge-organization';
import { allowScrubbing, SCRUBBED_ROWS, scrubTargetNames, selectDeletedProjects } from './purge-sql';

useDatabase();

const atOnce = () => ({ endsAt: performance.now() + 20_000, isPaced: false });

/** Deletes an organization as far as the answer to the request needs it. */
const deleteOnly = (organizationId: string) =>
  inSqlTransaction((tx) => deleteOrganizations(tx, { type: 'system' }, [organizationId]));

const store = (projectId: string, bytes: number) =>
  database().query(
    `INSERT INTO stored_bytes (project_id, day, events) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2)`,
    [projectId, bytes],
  );

async function storedOf(ownerId: string): Promise<number> {
  const days = { eventDays: 9, incomingEventDays: 9, succeededAttemptDays: 9, failedAttemptDays: 9 };
  return (await sumStoredBytes.first(database(), { ...days, owners: [ownerId] }))?.bytes ?? 0;
}

async function makeOrganization(person: TestPerson): Promise<TestPerson> {
  const body = { name: 'Another' };
  const { json } = await call<{ id: string }>('POST', '/api/v1/orgs', { bearer: person.accessToken, body });
  return { ...person, organizationId: json.id };
}

describe('a deleted organization, until its rows are removed,', () => {
  it('still counts for its owner', async () => {
    const person = await registerPerson();
    const { id } = await makeProject(person);
    await store(id, 700);
    await deleteOnly(person.organizationId);
    expect(await storedOf(person.userId)).toBe(700);
    expect(await storedOf(person.organizationId)).toBe(0);
    expect((await findTenantOfProject.first(database(), { project: id }))?.tenant_id).toBe(person.userId);
    await purgeOrganizations([person.organizationId], 20_000);
    expect(await storedOf(person.userId)).toBe(0);
  });

  it('counts once for itself when its creator did not own it, and for none of its owners', async () => {
    const creator = await registerPerson();
    const heir = await registerMember(creator.organizationId, 'OWNER');
    const { id } = await makeProject(creator);
    await store(id, 700);
    await database().query(`UPDATE memberships SET role = 'ADMIN' WHERE user_id = $1`, [creator.userId]);
    await deleteOnly(creator.organizationId);
    const owners = [creator.organizationId, creator.userId, heir.userId];
    expect(await Promise.all(owners.map(storedOf))).toEqual([700, 0, 0]);
  });

  it('shares the turns of removal with the other organizations of its owner', async () => {
    const person = await registerPerson();
    const organizations = [person, await makeOrganization(person), await makeOrganization(person)];
    for (const each of organizations) {
      const { id } = await makeProject(each);
      await database().query(
        `INSERT INTO customers (id, project_id, uid, deleted_at) VALUES ($1, $2, 'c', now() - interval '1 minute')`,
        [newId(), id],
      );
      await deleteOnly(each.organizationId);
    }
    const other = await insertProject();
    await database().query(`UPDATE projects SET deleted_at = now() WHERE id = $1`, [other]);
    await database().query(
      `INSERT INTO customers (id, project_id, uid, deleted_at) VALUES ($1, $2, 'c', now() - interval '1 minute')`,
      [newId(), other],
    );
    for (let round = 0; round < 5; round++) {
      const projects = await selectDeletedProjects.all(database());
      const customers = await selectDeletedCustomers.all(database(), { limit: 2 });
      expect(projects.slice(0, 3).map(({ id }) => id)).toContain(other);
      expect(customers.map(({ project_id }) => project_id)).toContain(other);
    }
  });
});

describe('the names in the audit log of a deleted organization', () => {
  const namesIn = async (organizationId: string) =>
    (
      await database().query(`SELECT FROM audit_log WHERE organization_id = $1 AND details ? 'targetName'`, [
        organizationId,
      ])
    ).rowCount;

  it('are looked for in a bounded number of entries at once', async () => {
    const { organizationId } = await registerPerson();
    await insertAudit({ organizationId, count: SCRUBBED_ROWS + 1, details: {} });
    const scrub = (above: string) =>
      inSqlTransaction(async (tx) => {
        await allowScrubbing.run(tx);
        return scrubTargetNames.first(tx, { organization: organizationId, above });
      });
    const first = await scrub(LOWEST_ID);
    const { rows } = await database().query<{ id: string }>(
      'SELECT id FROM audit_log WHERE organization_id = $1 ORDER BY id OFFSET $2 LIMIT 1',
      [organizationId, SCRUBBED_ROWS - 1],
    );
    expect(first).toEqual(rows[0]);
    expect(await scrub(HIGHEST_ID)).toBeUndefined();
  });

  it('are removed from all of several batches, and from none after the signal', async () => {
    const { organizationId } = await registerPerson();
    const count = 2 * SCRUBBED_ROWS + 1;
    const changes = { 'portal.name': { from: null, to: 'Ada' }, enabled: { from: true, to: false }, url: {} };
    await insertAudit({ organizationId, count, details: { targetName: 'Ada', method: 'IDP' } });
    await insertAudit({ organizationId, count: 1, action: 'alert.updated', details: { changes, projectId: 'x' } });
    await deleteOnly(organizationId);
    expect(await removeOrganization(organizationId, { ...atOnce(), signal: AbortSignal.abort() })).toBe(false);
    expect(await namesIn(organizationId)).toBe(count);
    expect(await removeOrganization(organizationId, atOnce())).toBe(true);
    expect(await namesIn(organizationId)).toBe(0);
    const kept = await database().query(`SELECT FROM audit_log WHERE organization_id = $1 AND details ? 'method'`, [
      organizationId,
    ]);
    expect(kept.rowCount).toBeGreaterThanOrEqual(count);
    const changed = (await auditOf(organizationId)).find(({ action }) => action === 'alert.updated');
    expect(changed?.details).toEqual({ changes: { 'portal.name': {}, enabled: {}, url: {} }, projectId: 'x' });
  });
});
