import { describe, expect, it } from 'vitest';
import type { NewApiKey } from '@/lib/keys/schema';
import type { ListedProject, Project } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { untilLockWait } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { makeProject, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { type CallOptions, call } from '@/tests/http/api-request';

useDatabase();

const on = (verb: string, id: string, options: CallOptions) => call(verb, `/api/v1/projects/${id}`, options);
const as = (person: TestPerson, body?: unknown) => ({ bearer: person.accessToken, ...(body ? { body } : {}) });

async function makeKey(owner: TestPerson, project: Project, scope = 'READ_ONLY'): Promise<string> {
  const path = `/api/v1/projects/${project.id}/api-keys`;
  const made = await call<NewApiKey>('POST', path, as(owner, { name: 'server', scope }));
  return made.json.key;
}

describe('projects of an organization', () => {
  it('are created, read, renamed and deleted', async () => {
    const owner = await registerPerson();
    const project = await makeProject(owner, ' Shop ');
    expect(project).toEqual({
      id: expect.any(String),
      organizationId: owner.organizationId,
      name: 'Shop',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await on('GET', project.id, as(owner))).json).toEqual(project);
    const renamed = await on('PATCH', project.id, as(owner, { name: 'Store' }));
    expect(renamed.json).toMatchObject({ id: project.id, name: 'Store' });
    expect((await on('PATCH', project.id, as(owner, { name: 'Store' }))).json).toEqual(renamed.json);
    expect((await on('DELETE', project.id, as(owner))).status).toBe(204);
    const actions = (await auditOf(project.id)).map(({ action }) => action);
    expect(actions).toEqual(['project.created', 'project.updated', 'project.deleted']);
  });

  it('are listed newest first, without those of other organizations and deleted ones', async () => {
    const [owner, stranger] = [await registerPerson(), await registerPerson()];
    const [first, second, gone] = [await makeProject(owner), await makeProject(owner), await makeProject(owner)];
    await makeProject(stranger);
    await on('DELETE', gone.id, as(owner));
    const path = `/api/v1/orgs/${owner.organizationId}/projects`;
    const page = await call<Listing<Project>>('GET', `${path}?limit=1`, as(owner));
    expect(page.json.data).toEqual([{ ...second, lastEventAt: null }]);
    const rest = await call<Listing<Project>>('GET', `${path}?cursor=${page.json.nextCursor}`, as(owner));
    expect(rest.json).toEqual({ data: [{ ...first, lastEventAt: null }], nextCursor: null });
  });

  it('are listed with the time of their newest event', async () => {
    const owner = await registerPerson();
    const [used, unused] = [await makeProject(owner), await makeProject(owner)];
    const send = () =>
      call('POST', `/api/v1/projects/${used.id}/events`, {
        headers: { 'x-api-key': key },
        body: { type: 'order.paid', data: {} },
      });
    const key = await makeKey(owner, used, 'READ_WRITE');
    for (let sent = 0; sent < 2; sent += 1) expect((await send()).status).toBe(202);
    const events = await call<Listing<{ createdAt: string }>>('GET', `/api/v1/projects/${used.id}/events`, as(owner));
    const { json } = await call<Listing<ListedProject>>(
      'GET',
      `/api/v1/orgs/${owner.organizationId}/projects`,
      as(owner),
    );
    expect(json.data.map(({ id, lastEventAt }) => [id, lastEventAt])).toEqual([
      [unused.id, null],
      [used.id, events.json.data[0]?.createdAt],
    ]);
  });
});

describe('a deleted project is unreachable immediately', () => {
  it('for people and for its keys, on every path', async () => {
    const owner = await registerPerson();
    const [project, other] = [await makeProject(owner), await makeProject(owner)];
    const apiKey = await makeKey(owner, project);
    expect((await on('GET', project.id, { apiKey })).status).toBe(200);
    const responses = await Promise.all([1, 2, 3].map(() => on('DELETE', project.id, as(owner))));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 404, 404]);
    expect((await on('GET', project.id, { apiKey })).json).toMatchObject({ status: 401, code: 'invalid_api_key' });
    for (const below of ['', '/api-keys', '/events', '/endpoints']) {
      expect((await on('GET', project.id + below, as(owner))).status).toBe(404);
    }
    expect((await on('PATCH', project.id, as(owner, { name: 'Back' }))).status).toBe(404);
    expect((await on('GET', other.id, as(owner))).status).toBe(200);
  });
});

describe('access to a project', () => {
  it('lets a key read its own project, and nothing else', async () => {
    const owner = await registerPerson();
    const [project, other] = [await makeProject(owner), await makeProject(owner)];
    const apiKey = await makeKey(owner, project, 'READ_WRITE');
    expect((await on('GET', project.id, { apiKey })).json).toEqual(project);
    expect((await on('GET', other.id, { apiKey })).json).toMatchObject({ status: 404, code: 'not_found' });
    for (const verb of ['PATCH', 'DELETE']) {
      const response = await on(verb, project.id, { apiKey, body: { name: 'x' } });
      expect(response.json).toMatchObject({ status: 403, code: 'person_required' });
    }
    const both = await on('GET', project.id, { apiKey, bearer: owner.accessToken });
    expect(both.json).toMatchObject({ status: 400, code: 'ambiguous_credentials' });
    for (const authorization of ['Bearer ', 'Bearer', 'bearer', '']) {
      expect((await on('GET', project.id, { apiKey, headers: { authorization } })).status, authorization).toBe(200);
      const none = await on('GET', project.id, { headers: { authorization } });
      expect(none.json, authorization).toMatchObject({ status: 401, code: 'unauthenticated' });
    }
  });

  it('refuses to create one in an organization that is being erased', async () => {
    const owner = await registerPerson();
    const client = await database().connect();
    await client.query('BEGIN');
    await client.query('UPDATE organizations SET deleted_at = now() WHERE id = $1', [owner.organizationId]);
    const underWay = call('POST', `/api/v1/orgs/${owner.organizationId}/projects`, as(owner, { name: 'late' }));
    await untilLockWait(underWay);
    await client.query('COMMIT');
    client.release();
    expect((await underWay).status).toBe(404);
    const { rows } = await database().query('SELECT 1 FROM projects WHERE organization_id = $1', [
      owner.organizationId,
    ]);
    expect(rows).toEqual([]);
  });
});
