import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PersonCaller } from '@/lib/audit/caller';
import type { Role } from '@/lib/audit/types';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import { exists } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker, stopWorker } from '@/tests/delivery/worker';
import { auditOf } from '@/tests/fixtures/audit';
import { insertEndpoint, insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { insertDeliveryProject } from '@/tests/fixtures/delivery-sources';
import { countProjectRows, fillProject } from '@/tests/fixtures/full-project';
import { insertIncomingEvents } from '@/tests/fixtures/incoming-events';
import { makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { eraseOrganization } from './erase-organization';
import { finishErasures } from './finish-erasures';
import { purgeProject } from './purge-project';
import {
  deleteBatch,
  MAX_PROJECTS,
  selectDeletedOrganizations,
  selectDeletedProjects,
  selectUnswept,
} from './purge-sql';

useDatabase();
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);

beforeEach(() => database().query('TRUNCATE projects, outbox, delivery_attempts CASCADE'));

const setDeleted = (table: string, id: string) =>
  database().query(`UPDATE ${table} SET deleted_at = now() WHERE id = $1`, [id]);

const organizationOf = async (projectId: string) => {
  const { rows } = await database().query<{ organization_id: string }>(
    'SELECT organization_id FROM projects WHERE id = $1',
    [projectId],
  );
  return rows[0]?.organization_id ?? '';
};

const atOnce = () => ({ endsAt: performance.now() + 20_000, isPaced: false });

const MIB = 1024 * 1024;

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

/** Sums the rows that the parts of a plan returned. */
const rowsOf = (plan: Plan): number =>
  plan['Actual Rows'] * plan['Actual Loops'] + (plan.Plans ?? []).reduce((rows, part) => rows + rowsOf(part), 0);

describe('removing a deleted project', () => {
  it('deletes fewer large incoming events at once, and as many small ones as other rows', async () => {
    const { id: project, sourceId } = await insertDeliveryProject();
    const ids = await insertIncomingEvents({ id: sourceId, projectId: project }, 5);
    const take = async (above: string) => (await deleteBatch.incoming_events.first(database(), { project, above }))?.id;
    await database().query('UPDATE incoming_events SET size = $1', [300 * MIB]);
    expect(await take(LOWEST_ID)).toBe(ids[1]);
    await database().query('UPDATE incoming_events SET size = 1');
    expect(await take(ids[1] ?? '')).toBe(ids[4]);
  });

  it('never changes a project that is not deleted', async () => {
    const projectId = await insertProject();
    await fillProject(projectId);
    const before = await countProjectRows(projectId);
    expect(await purgeProject(projectId, atOnce())).toBe('gone');
    await finishErasures();
    expect(await countProjectRows(projectId)).toEqual(before);
  });

  it('finds deleted projects, and every project of a deleted organization', async () => {
    const first = await insertProject();
    const second = await insertProject();
    const kept = await insertProject();
    for (const id of [first, second, kept]) await fillProject(id);
    const organizationId = await organizationOf(second);
    await setDeleted('projects', first);
    await setDeleted('organizations', organizationId);
    await finishErasures();
    expect([await exists('projects', first), await exists('projects', second), await exists('projects', kept)]).toEqual(
      [false, false, true],
    );
    expect(await exists('organizations', organizationId)).toBe(false);
  });

  it('takes a project of each tenant before the second of another', async () => {
    const large = await insertProject();
    await database().query(
      `INSERT INTO projects (id, organization_id, name, deleted_at)
       SELECT gen_random_uuid(), organization_id, 'p' || n, now() FROM projects, generate_series(1, ${2 * MAX_PROJECTS}) n
       WHERE id = $1`,
      [large],
    );
    const last = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
    const { organizationId } = await registerPerson();
    await database().query(
      `INSERT INTO projects (id, organization_id, name, deleted_at) VALUES ($1, $2, 'one', now())`,
      [last, organizationId],
    );
    const chosen = await selectDeletedProjects.all(database());
    expect(chosen).toHaveLength(MAX_PROJECTS);
    expect(chosen.slice(0, 2).map(({ id }) => id)).toContain(last);
    const first = async () => (await selectDeletedProjects.all(database()))[0]?.id;
    await expect.poll(first).not.toBe(chosen[0]?.id);
  });

  it('looks at a bounded number of those of an organization, however many it has', async () => {
    const large = await insertProject();
    const rowsRead = async (count: number) => {
      await database().query(
        `INSERT INTO projects (id, organization_id, name, deleted_at)
         SELECT gen_random_uuid(), organization_id, 'p', now() FROM projects, generate_series(1, $2::int) n WHERE id = $1`,
        [large, count],
      );
      await database().query('ANALYZE projects');
      const { rows } = await database().query(`EXPLAIN (ANALYZE, FORMAT JSON) ${selectDeletedProjects.text}`);
      return rowsOf(rows[0]['QUERY PLAN'][0].Plan);
    };
    const few = await rowsRead(2 * MAX_PROJECTS);
    expect(await rowsRead(20 * MAX_PROJECTS)).toBeLessThanOrEqual(1.5 * few);
  });

  it.each([
    ['projects', selectDeletedProjects],
    ['organizations', selectDeletedOrganizations],
    ['people', selectUnswept],
  ])('does not keep other erasures waiting when %s cannot be read', async (_what, selection) => {
    const project = await insertProject();
    await setDeleted('projects', project);
    const organization = await organizationOf(await insertProject());
    await database().query('DELETE FROM projects WHERE organization_id = $1', [organization]);
    await setDeleted('organizations', organization);
    const { userId } = await registerPerson();
    await database().query('UPDATE users SET erased_at = now() WHERE id = $1', [userId]);
    const isLeft = async () => [
      await exists('projects', project),
      await exists('organizations', organization),
      (await database().query('SELECT FROM sessions WHERE user_id = $1', [userId])).rowCount === 1,
    ];
    const failing = vi
      .spyOn(selection, 'all')
      .mockRejectedValue(new Error('canceling statement due to statement timeout'));
    await finishErasures();
    failing.mockRestore();
    expect((await isLeft()).filter((left) => left)).toHaveLength(1);
    await finishErasures();
    expect(await isLeft()).toEqual([false, false, false]);
  });

  it('ends a round after some turns, so that other erasures are not kept waiting, and has more to do at once', async () => {
    const person = await registerPerson();
    await database().query('UPDATE users SET erased_at = now() WHERE id = $1', [person.userId]);
    const projects = await Promise.all(Array.from({ length: 4 }, () => insertProject()));
    for (const id of projects) await setDeleted('projects', id);
    const countLeft = async () =>
      (await database().query('SELECT FROM projects WHERE id = ANY($1)', [projects])).rowCount ?? 0;
    // Each look at the clock takes a whole turn.
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10_000));
    const isMore = await finishErasures();
    clock.mockRestore();
    expect([isMore, await countLeft()]).toEqual([true, expect.toSatisfy((left) => left > 0 && left < 4)]);
    expect((await database().query('SELECT FROM sessions WHERE user_id = $1', [person.userId])).rowCount).toBe(0);
    expect([await finishErasures(), await countLeft()]).toEqual([false, 0]);
  });

  it('resumes after an interruption, batch by batch, without stored state', async () => {
    const projectId = await insertProject();
    await fillProject(projectId, { events: 8_000, attempts: 1 });
    await setDeleted('projects', projectId);
    const total = sum(await countProjectRows(projectId));
    const stop = new AbortController();
    const removing = purgeProject(projectId, {
      endsAt: performance.now() + 20_000,
      isPaced: true,
      signal: stop.signal,
    });
    await waitFor('the first batch', async () => sum(await countProjectRows(projectId)) < total);
    stop.abort();
    expect(await removing).toBe('out_of_time');
    const left = sum(await countProjectRows(projectId));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(total);
    expect(await finishErasures()).toBe(false);
    expect(sum(await countProjectRows(projectId))).toBe(0);
  });

  it('reports that more is left of a large project when its time is up, and removes a small one', async () => {
    const large = await insertProject();
    const small = await insertProject();
    await fillProject(large, { events: 1_200, attempts: 0 });
    await fillProject(small);
    const removed = async (projectId: string) => {
      await setDeleted('projects', projectId);
      return purgeProject(projectId, { endsAt: performance.now(), isPaced: false });
    };
    expect(await removed(large)).toBe('out_of_time');
    expect(await exists('projects', large)).toBe(true);
    expect(await removed(small)).toBe('gone');
  });

  it('can run in several processes at once', async () => {
    const projects = await Promise.all(Array.from({ length: 4 }, () => insertProject()));
    for (const id of projects) {
      await fillProject(id, { events: 1_200, attempts: 1 });
      await setDeleted('projects', id);
    }
    const results = await Promise.all(
      projects.flatMap((id) => [purgeProject(id, atOnce()), purgeProject(id, atOnce()), purgeProject(id, atOnce())]),
    );
    for (const result of results) expect(['gone', 'in_use']).toContain(result);
    await finishErasures();
    for (const id of projects) expect(sum(await countProjectRows(id))).toBe(0);
  });

  it('skips locked rows, does not wait for them, and tries again later', async () => {
    const projectId = await insertProject();
    await fillProject(projectId);
    await setDeleted('projects', projectId);
    const client = await database().connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM deliveries WHERE project_id = $1 LIMIT 1 FOR UPDATE', [projectId]);
    expect(await purgeProject(projectId, atOnce())).toBe('in_use');
    const counts = await countProjectRows(projectId);
    expect(counts.deliveries).toBe(1);
    expect(counts.events).toBeGreaterThan(0);
    await client.query('COMMIT');
    client.release();
    expect(await purgeProject(projectId, atOnce())).toBe('gone');
    expect((await database().query('SELECT FROM delivery_attempts')).rowCount).toBe(0);
  });

  it('holds no lock for long, so that other requests continue', async () => {
    const projectId = await insertProject();
    const other = await insertProject();
    await fillProject(projectId, { events: 3_000, attempts: 2 });
    await setDeleted('projects', projectId);
    const removing = purgeProject(projectId, { ...atOnce(), isPaced: true });
    for (let round = 0; round < 20; round++) await fillProject(other, { events: 5 });
    expect(await removing).toBe('gone');
    expect((await countProjectRows(other)).events).toBe(100);
  });

  it('continues with other projects when one fails', async () => {
    const stuck = await insertProject();
    const free = await insertProject();
    await setDeleted('projects', stuck);
    await setDeleted('projects', free);
    await database().query(`CREATE TABLE obstacle (project_id uuid REFERENCES projects (id))`);
    await database().query('INSERT INTO obstacle VALUES ($1)', [stuck]);
    await finishErasures();
    expect([await exists('projects', stuck), await exists('projects', free)]).toEqual([true, false]);
    await database().query('DROP TABLE obstacle');
    await finishErasures();
    expect(await exists('projects', stuck)).toBe(false);
  });

  it('removes a dead last mail to an erased person, and no other mail', async () => {
    const person = await registerPerson();
    const other = await registerPerson();
    await database().query('UPDATE users SET email_verified_at = now() WHERE id = $1', [person.userId]);
    await call('DELETE', '/api/v1/auth/me', { bearer: person.accessToken });
    const mailsOf = async ({ userId }: TestPerson) =>
      (await database().query('SELECT FROM mails WHERE user_id = $1', [userId])).rowCount;
    await finishErasures();
    expect([await mailsOf(person), await mailsOf(other)]).toEqual([1, 1]);
    await database().query(`UPDATE mails SET status = 'DEAD', dead_at = now()`);
    await finishErasures();
    expect([await mailsOf(person), await mailsOf(other)]).toEqual([0, 1]);
  });
});

describe('a worker', () => {
  it('stops removing when it stops, and the next worker resumes', async () => {
    const projectId = await insertProject();
    await fillProject(projectId, { events: 6_000, attempts: 2 });
    await setDeleted('projects', projectId);
    const total = sum(await countProjectRows(projectId));
    const worker = await startWorker({ finishErasures });
    await waitFor('the first batch', async () => sum(await countProjectRows(projectId)) < total);
    await stopWorker(worker);
    const left = sum(await countProjectRows(projectId));
    expect(left).toBeGreaterThan(0);
    await startWorker({ finishErasures });
    await waitFor('the project to go', async () => !(await exists('projects', projectId)), 60_000);
  });

  it('delivers for others while a project is erased during its deliveries, and no attempt of that project stays', async () => {
    const receiver = await startReceiver((response) => void setTimeout(() => response.end('ok'), 20));
    const doomed = await insertEndpoint({ url: receiver.url });
    const living = await insertEndpoint({ url: receiver.url });
    const worker = await startWorker({ finishErasures });
    await insertEvents(doomed.projectId, 400);
    await waitFor('attempts under way', () => receiver.received.length > 20);
    await setDeleted('projects', doomed.projectId);
    await insertEvents(living.projectId, 50);
    const removed = async () => (await purgeProject(doomed.projectId, atOnce())) === 'gone';
    await waitFor('the project to go', removed, 60_000);
    const succeeded = `SELECT FROM deliveries WHERE endpoint_id = $1 AND status = 'SUCCEEDED'`;
    await waitFor('the others', async () => (await database().query(succeeded, [living.id])).rowCount === 50, 60_000);
    await stopWorker(worker);
    const orphans = await database().query(
      'SELECT FROM delivery_attempts a WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.id = a.delivery_id)',
    );
    expect(orphans.rowCount).toBe(0);
    expect(sum(await countProjectRows(doomed.projectId))).toBe(0);
  });
});

const callerOf = ({ userId, organizationId }: TestPerson, role: Role = 'OWNER'): PersonCaller => ({
  type: 'person',
  userId,
  sessionId: newId(),
  organizationId,
  role,
  tokenExpiresAt: 0,
  client: { ipAddress: '198.51.100.9', userAgent: null },
});

describe('erasing an organization', () => {
  it('removes its rows from every table, and no row of another organization', async () => {
    const owner = await registerPerson();
    const other = await registerPerson();
    const project = await makeProject(owner);
    const kept = await makeProject(other);
    await fillProject(project.id);
    await fillProject(kept.id);
    const before = await countProjectRows(project.id);
    for (const [table, count] of Object.entries(before)) expect(count, table).toBeGreaterThan(0);
    await eraseOrganization(callerOf(owner), owner.organizationId);
    expect(sum(await countProjectRows(project.id))).toBe(0);
    expect(await countProjectRows(kept.id)).toEqual(before);
    expect(await exists('projects', project.id)).toBe(false);
    expect(await exists('organizations', owner.organizationId)).toBe(false);
    expect(await exists('organizations', other.organizationId)).toBe(true);
  });

  it('leaves no row in any table with a reference to organizations', async () => {
    const owner = await registerPerson();
    await registerMember(owner.organizationId, 'VIEWER');
    await database().query(
      `INSERT INTO invitations (id, organization_id, email, role, token_hash, expires_at)
       VALUES ($1, $2, 'a@example.com', 'VIEWER', '\\x01', now())`,
      [newId(), owner.organizationId],
    );
    await eraseOrganization(callerOf(owner), owner.organizationId);
    const { rows } = await database().query<{ table_name: string }>(
      `SELECT table_name FROM information_schema.columns
       WHERE table_schema = ANY (current_schemas(false)) AND column_name = 'organization_id' AND table_name <> 'audit_log'`,
    );
    expect(rows.length).toBeGreaterThan(4);
    for (const { table_name } of rows) {
      const left = await database().query(`SELECT FROM ${table_name} WHERE organization_id = $1`, [
        owner.organizationId,
      ]);
      expect(left.rowCount, table_name).toBe(0);
    }
  });

  it('keeps the audit log and records the erasure, without the name', async () => {
    const owner = await registerPerson({ organizationName: 'Engines' });
    const before = await auditOf(owner.organizationId);
    await eraseOrganization(callerOf(owner), owner.organizationId);
    const after = await auditOf(owner.organizationId);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1)).toMatchObject({
      action: 'organization.deleted',
      actor_id: owner.userId,
      organization_id: owner.organizationId,
      ip_address: '198.51.100.9',
    });
    expect(JSON.stringify(after)).not.toContain('Engines');
  });

  it('happens once when many requests come at once', async () => {
    const owner = await registerPerson();
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => eraseOrganization(callerOf(owner), owner.organizationId)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const entries = (await auditOf(owner.organizationId)).filter(({ action }) => action === 'organization.deleted');
    expect(entries).toHaveLength(1);
  });

  it('removes it from sessions and people, who keep their other organizations', async () => {
    const owner = await registerPerson();
    const member = await registerMember(owner.organizationId, 'VIEWER');
    await call('POST', '/api/v1/auth/switch-organization', {
      bearer: member.accessToken,
      body: { organizationId: owner.organizationId },
    });
    await eraseOrganization(callerOf(owner), owner.organizationId);
    const me = await call<{ organizations: { id: string }[] }>('GET', '/api/v1/auth/me', {
      bearer: member.accessToken,
    });
    expect(me.json.organizations.map(({ id }) => id)).toEqual([member.organizationId]);
  });
});
