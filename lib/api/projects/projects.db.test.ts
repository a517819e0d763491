import { beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '@/lib/delivery/schema';
import type { CreatedApiKey } from '@/lib/keys/schema';
import { lockOrganizations, lockProjectIfLive } from '@/lib/orgs/locks';
import type { Project } from '@/lib/orgs/schema';
import { areRowsCopied } from '@/lib/platform/cells/cell-nodes';
import { database, inSqlTransaction } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { countLockWaits, untilLockWait } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { insertIncomingEvents } from '@/tests/fixtures/incoming-events';
import { asPerson, makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type MadeSource, sourceTools } from '@/tests/fixtures/sources';
import { type CallOptions, call, expectProblem, type Problem } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';

useDatabase();

const on = (verb: string, id: string, options: CallOptions) => call(verb, `/api/v1/projects/${id}`, options);

async function makeKey(owner: TestPerson, project: Project, scope = 'READ_ONLY'): Promise<string> {
  const path = `/api/v1/projects/${project.id}/api-keys`;
  const made = await call<CreatedApiKey>('POST', path, asPerson(owner, { name: 'server', scope }));
  return made.json.key;
}

describe('an admin who loses their role while their request waits', () => {
  const CHANGES: Record<string, (owner: TestPerson, project: Project) => [verb: string, path: string, body?: object]> =
    {
      'create a project': ({ organizationId }) => ['POST', `/orgs/${organizationId}/projects`, { name: 'Late' }],
      'change a project': (_owner, { id }) => ['PATCH', `/projects/${id}`, { name: 'Late' }],
      'delete a project': (_owner, { id }) => ['DELETE', `/projects/${id}`],
      'rename the organization': ({ organizationId }) => ['PATCH', `/orgs/${organizationId}`, { name: 'Late' }],
      'make a link to a portal': (_owner, { id }) => ['POST', `/projects/${id}/customers/acme/portal-links`, {}],
    };

  it.each(Object.entries(CHANGES))('cannot %s, and can before', async (_what, requestOf) => {
    const owner = await registerPerson();
    const { organizationId } = owner;
    const before = await makeProject(owner);
    const project = await makeProject(owner);
    for (const { id } of [before, project]) {
      const path = `/api/v1/projects/${id}/customers`;
      expect((await call('POST', path, asPerson(owner, { uid: 'acme' }))).status).toBe(201);
    }
    const admin = await registerMember(organizationId, 'ADMIN');
    const send = (given: Project) => {
      const [verb, path, body] = requestOf(owner, given);
      return call<Problem>(verb, `/api/v1${path}`, asPerson(admin, body));
    };
    expect((await send(before)).status).toBeLessThan(300);
    const client = await database().connect();
    await client.query('BEGIN');
    await lockOrganizations(client, [organizationId]);
    const request = send(project);
    await untilLockWait(request);
    await client.query(`UPDATE memberships SET role = 'VIEWER' WHERE user_id = $1 AND organization_id = $2`, [
      admin.userId,
      organizationId,
    ]);
    await client.query('COMMIT');
    client.release();
    expectProblem(await request, 403, 'forbidden');
    expect((await auditOf(organizationId)).filter(({ actor_id }) => actor_id === admin.userId)).toHaveLength(1);
  });
});

describe('projects of an organization', () => {
  it('are created, read, renamed and deleted', async () => {
    const owner = await registerPerson();
    const project = await makeProject(owner, ' Shop ');
    expect(project).toEqual({
      id: expect.any(String),
      organizationId: owner.organizationId,
      name: 'Shop',
      eventTypePolicy: 'OPEN',
      portal: { name: null, accentColor: null, logoUrl: null, logoPath: null, allowedOrigins: [] },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await on('GET', project.id, asPerson(owner))).json).toEqual(project);
    const renamed = await on('PATCH', project.id, asPerson(owner, { name: 'Store' }));
    expect(renamed.json).toMatchObject({ id: project.id, name: 'Store' });
    expect((await on('PATCH', project.id, asPerson(owner, { name: 'Store' }))).json).toEqual(renamed.json);
    expect((await on('DELETE', project.id, asPerson(owner))).status).toBe(204);
    const actions = (await auditOf(project.id)).map(({ action }) => action);
    expect(actions).toEqual(['project.created', 'project.updated', 'project.deleted']);
  });

  it('are listed newest first with the time of their newest event, without those of other organizations and deleted ones', async () => {
    const owner = await registerPerson();
    const stranger = await registerPerson();
    const first = await makeProject(owner);
    const second = await makeProject(owner);
    const gone = await makeProject(owner);
    await makeProject(stranger);
    await on('DELETE', gone.id, asPerson(owner));
    const body = { type: 'order.paid', data: {} };
    const sent = await call<{ createdAt: string }>('POST', '/api/v1/events', {
      apiKey: await makeKey(owner, first, 'READ_WRITE'),
      body,
    });
    const path = `/api/v1/orgs/${owner.organizationId}/projects`;
    const page = await call<Listing<Project>>('GET', `${path}?limit=1`, asPerson(owner));
    expect(page.json.data).toEqual([{ ...second, lastEventAt: null }]);
    const rest = await call<Listing<Project>>('GET', `${path}?cursor=${page.json.nextCursor}`, asPerson(owner));
    expect(rest.json).toEqual({ data: [{ ...first, lastEventAt: sent.json.createdAt }], nextCursor: null });
  });
});

describe('a deleted project is unreachable immediately', () => {
  it('for people and for its keys, on every path', async () => {
    const owner = await registerPerson();
    const project = await makeProject(owner);
    const other = await makeProject(owner);
    const apiKey = await makeKey(owner, project);
    expect((await on('GET', project.id, { apiKey })).status).toBe(200);
    const responses = await Promise.all([1, 2, 3].map(() => on('DELETE', project.id, asPerson(owner))));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 404, 404]);
    expectProblem(await on('GET', project.id, { apiKey }), 401, 'invalid_api_key');
    for (const path of ['/api/v1/events', `/api/v1/projects/${project.id}/events`]) {
      expectProblem(await call('POST', path, { apiKey, body: { type: 'a', data: {} } }), 401, 'invalid_api_key');
    }
    for (const below of ['', '/api-keys', '/events', '/endpoints']) {
      expect((await on('GET', project.id + below, asPerson(owner))).status).toBe(404);
    }
    expect((await on('PATCH', project.id, asPerson(owner, { name: 'Back' }))).status).toBe(404);
    expect((await on('GET', other.id, asPerson(owner))).status).toBe(200);
  });
});

describe('access to a project', () => {
  it('lets a key read its own project, and nothing else', async () => {
    const owner = await registerPerson();
    const project = await makeProject(owner);
    const other = await makeProject(owner);
    const apiKey = await makeKey(owner, project, 'READ_WRITE');
    expect((await on('GET', project.id, { apiKey })).json).toEqual(project);
    expectProblem(await on('GET', other.id, { apiKey }), 404, 'not_found');
    for (const verb of ['PATCH', 'DELETE']) {
      expectProblem(await on(verb, project.id, { apiKey, body: { name: 'x' } }), 403, 'person_required');
    }
    expectProblem(await on('GET', project.id, { apiKey, bearer: owner.accessToken }), 400, 'ambiguous_credentials');
    const asToken = await on('GET', project.id, { bearer: apiKey });
    expectProblem(asToken, 401, 'unauthenticated');
    expect(asToken.json).toMatchObject({ detail: expect.stringContaining('X-API-Key') });
    for (const authorization of ['Bearer ', 'Bearer', 'bearer', '']) {
      expect((await on('GET', project.id, { apiKey, headers: { authorization } })).status, authorization).toBe(200);
      const none = await on('GET', project.id, { headers: { authorization } });
      expect(none.json, authorization).toMatchObject({ status: 401, code: 'unauthenticated' });
    }
  });
});

describe('stopping', () => {
  const IN_FLIGHT = 30;

  const URL = 'http://127.0.0.1:9/hook';

  let project: TestProject;

  let source: MadeSource;

  const { send, manage, makeSource, makeDestination } = sourceTools(() => project);

  beforeEach(async () => {
    project = await makeTestProject();
    source = await makeSource();
    await makeDestination(source, { url: URL });
  });

  const eraseProject = () => call('DELETE', `/api/v1/projects/${project.id}`, asPerson(project.owner));

  const eraseOrganization = () =>
    call('DELETE', `/api/v1/orgs/${project.owner.organizationId}`, asPerson(project.owner));

  describe('while requests to a source are being stored, its', () => {
    it.each([
      ['pause', () => send('PATCH', `/sources/${source.id}`, { enabled: false }), 200],
      ['rotation of the URL', () => send('POST', `/sources/${source.id}/rotate-url`, { gracePeriodHours: 0 }), 200],
      ['deletion', () => send('DELETE', `/sources/${source.id}`), 204],
      ['erasure with its project', eraseProject, 204],
    ])('%s waits for none of them', async (_, stop, status) => {
      await inSqlTransaction(async (tx) => {
        await tx.query('SELECT FROM sources WHERE id = $1 FOR KEY SHARE', [source.id]);
        expect((await stop()).status).toBe(status);
      });
    });
  });

  describe('while deliveries are being stored, their', () => {
    let endpoint: Endpoint;
    beforeEach(async () => {
      endpoint = await manage<Endpoint>('POST', '/endpoints', { url: URL });
    });

    it.each([
      ['endpoint’s pause', () => send('PATCH', `/endpoints/${endpoint.id}`, { enabled: false }), 200],
      ['endpoint’s deletion', () => send('DELETE', `/endpoints/${endpoint.id}`), 204],
      ['project’s erasure', eraseProject, 204],
      ['organization’s erasure', eraseOrganization, 204],
    ])('%s waits for none of them', async (_, stop, status) => {
      await inSqlTransaction(async (tx) => {
        await tx.query('SELECT FROM endpoints WHERE id = $1 FOR KEY SHARE', [endpoint.id]);
        // On a cluster, they lock the row of their machine alone.
        if (!areRowsCopied()) await tx.query('SELECT FROM projects WHERE id = $1 FOR KEY SHARE', [project.id]);
        expect((await stop()).status).toBe(status);
      });
    });
  });

  describe('while thirty requests replay incoming events', () => {
    /** Starts replays while another one holds the project, and stops the project or its source. */
    async function stopAmongReplays(stop: () => Promise<{ status: number }>) {
      const eventIds = await insertIncomingEvents({ id: source.id, projectId: project.id }, IN_FLIGHT);
      const begun = await inSqlTransaction(async (tx) => {
        await lockProjectIfLive(tx, project.id);
        const replays = eventIds.map((id) => send('POST', `/incoming-events/${id}/replay`));
        await waitFor('the first replay', async () => (await countLockWaits()) === 1);
        const stopped = stop();
        await waitFor('the stop', async () => (await countLockWaits()) === 2);
        // The other replays wait in the process, without a connection.
        return { stopped, replays };
      });
      const [stopped, ...replays] = await Promise.all([begun.stopped, ...begun.replays]);
      return { status: stopped.status, replayed: replays.filter(({ status }) => status === 202).length };
    }

    it.each([
      ['deletion of the source', () => send('DELETE', `/sources/${source.id}`)],
      ['erasure of the project', eraseProject],
    ])('the %s waits for a few of them at most', async (_, stop) => {
      const { status, replayed } = await stopAmongReplays(stop);
      expect(status).toBe(204);
      // A replay that begins just as another one ends may overtake it: on a busy machine, several do.
      expect(replayed).toBeLessThanOrEqual(15);
    });
  });

  describe('while what a replay or bulk retry matches is counted', () => {
    it.each([
      ['a replay', '/incoming-event-replays', 'incoming_events', () => ({ sourceId: source.id })],
      ['a bulk retry', '/bulk-retries', 'deliveries', () => ({})],
    ])('for %s, the project can be erased', async (_, path, table, body) => {
      const begun = await inSqlTransaction(async (tx) => {
        await tx.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
        const started = send('POST', path, body());
        await waitFor('the count', async () => (await countLockWaits()) === 1);
        expect((await eraseProject()).status).toBe(204);
        return { started };
      });
      // After a longer count the caller is checked again, and its key is gone.
      expect([404, 401]).toContain((await begun.started).status);
    });
  });

  it('refuses the 52nd change of one secret at once, and lets the others wait for their turn without a connection', async () => {
    const { id } = await manage<Endpoint>('POST', '/endpoints', { url: URL });
    const rotate = () => send('POST', `/endpoints/${id}/rotate-secret`);
    const begun = await inSqlTransaction(async (tx) => {
      await tx.query('SELECT FROM endpoints WHERE id = $1 FOR UPDATE', [id]);
      const rotations = Array.from({ length: 52 }, rotate);
      expectProblem(await Promise.race(rotations), 429, 'rate_limited');
      await waitFor('the first rotation', async () => (await countLockWaits()) === 1);
      return { rotations };
    });
    const statuses = (await Promise.all(begun.rotations)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(51).fill(200), 429]);
  });
});
