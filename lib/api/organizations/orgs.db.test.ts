import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '@/lib/api/table';
import { VERBS } from '@/lib/http/table';
import { finishErasures } from '@/lib/lifecycle/finish-erasures';
import type { Organization } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { count, run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { auditOf } from '@/tests/fixtures/audit';
import { insertEndpoint, insertEvents } from '@/tests/fixtures/deliveries';
import { countProjectRows, fillProject } from '@/tests/fixtures/full-project';
import { asPerson, makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { call } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();

const create = (person: TestPerson, name: string) =>
  call<Organization>('POST', '/api/v1/orgs', asPerson(person, { name }));

const get = <T = Organization>(person: TestPerson, id: string) =>
  call<T>('GET', `/api/v1/orgs/${id}`, asPerson(person));

const rename = <T = Organization>(person: TestPerson, id: string, body: unknown) =>
  call<T>('PATCH', `/api/v1/orgs/${id}`, asPerson(person, body));

describe('organizations of a person', () => {
  it('are owned by the person who creates them', async () => {
    const person = await registerPerson();
    const made = await create(person, ' Engines ');
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: expect.any(String),
      name: 'Engines',
      role: 'OWNER',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect((await get(person, made.json.id)).json).toEqual(made.json);
    expect(await auditOf(made.json.id)).toMatchObject([{ action: 'organization.created', actor_id: person.userId }]);
  });
});

describe('renaming an organization', () => {
  it('changes nothing when the name stays the same', async () => {
    const owner = await registerPerson({ organizationName: 'Same' });
    for (const body of [{}, { name: 'Same' }]) {
      expect((await rename(owner, owner.organizationId, body)).json.name).toBe('Same');
    }
    const actions = (await auditOf(owner.organizationId)).map(({ action }) => action);
    expect(actions).not.toContain('organization.updated');
  });
});

describe('an erasure', () => {
  const pathOf = (organizationId: string) => `/api/v1/orgs/${organizationId}`;

  const erase = ({ accessToken, organizationId }: TestPerson) =>
    call('DELETE', pathOf(organizationId), { bearer: accessToken });

  const exists = async (table: string, id: string) => (await count(`SELECT FROM ${table} WHERE id = $1`, id)) === 1;

  /** The verbs and paths of the routes for these kinds of callers. */
  const routesOf = (kinds: string[]) =>
    Object.entries(api).flatMap(([path, entry]) =>
      VERBS.flatMap((verb) => {
        const kind = (entry as Partial<Record<string, { caller: { kind: string } }>>)[verb]?.caller.kind ?? '';
        return kinds.includes(kind) ? [[verb, path] as const] : [];
      }),
    );

  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);

  /**
   * Makes an erasure leave everything to the workers, like that of a large organization, by holding rows that it waits
   * for.
   */
  async function eraseInPart(projectId: string, owner: TestPerson): Promise<void> {
    // Not due, so that no worker takes it.
    await run(
      `INSERT INTO outbox (id, kind, project_id, event_id, available_at) VALUES ($1, 'EVENT', $2, $1, now() + interval '1 day')`,
      newId(),
      projectId,
    );
    const client = await database().connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM outbox WHERE project_id = $1 FOR UPDATE', [projectId]);
    try {
      expect((await erase(owner)).status).toBe(204);
      expect(await exists('projects', projectId)).toBe(true);
    } finally {
      await client.query('COMMIT');
      client.release();
    }
  }

  /** A partly erased organization. Creating one takes a full request, so tests that don't change it share one. */
  let erasedInPart: TestProject & { members: TestPerson[] };

  beforeAll(async () => {
    const project = await makeTestProject();
    const member = await registerMember(project.owner.organizationId, 'OWNER');
    await eraseInPart(project.id, project.owner);
    erasedInPart = { ...project, members: [project.owner, member] };
  });

  describe.each(useAdapters())('the erasure of an organization, %s', (_name, callThrough) => {
    it('is allowed to an owner, and leaves nothing of a small one', async () => {
      const owner = await registerPerson();
      const project = await makeProject(owner);
      await fillProject(project.id);
      const response = await callThrough('DELETE', pathOf(owner.organizationId), asPerson(owner));
      expect([response.status, response.text]).toEqual([204, '']);
      expect(await exists('organizations', owner.organizationId)).toBe(false);
      expect(sum(await countProjectRows(project.id))).toBe(0);
      expect((await callThrough('DELETE', pathOf(owner.organizationId), asPerson(owner))).status).toBe(404);
    });

    it('ends every key on every path at the 204, however much remains to be removed', async () => {
      const { id, key, readOnlyKey } = erasedInPart;
      const routes = routesOf(['key', 'person-or-key']);
      expect(routes.length).toBeGreaterThan(10);
      for (const [verb, template] of routes) {
        const path = template.replace('{projectId}', id).replaceAll(/\{\w+\}/g, newId());
        for (const apiKey of [key, readOnlyKey]) {
          const body = verb === 'POST' ? { body: { type: 'order.created', data: {} } } : {};
          const { status, json } = await callThrough(verb, path, { apiKey, ...body });
          expect([status, json.code], `${verb} ${template}`).toEqual([401, 'invalid_api_key']);
        }
      }
    });

    it('gives its members 404 on every path from the next request on, however much remains to be removed', async () => {
      const { id, owner, members } = erasedInPart;
      const isTenants = ([, path]: readonly [string, string]) => /\{(orgId|projectId)\}/.test(path);
      const routes = routesOf(['person', 'person-or-key']).filter(isTenants);
      expect(routes.length).toBeGreaterThan(25);
      for (const [verb, template] of routes) {
        const path = template
          .replace('{projectId}', id)
          .replace('{orgId}', owner.organizationId)
          .replaceAll(/\{\w+\}/g, newId());
        for (const { accessToken } of members) {
          const { status } = await callThrough(verb, path, { bearer: accessToken });
          expect(status, `${verb} ${template}`).toBe(404);
        }
      }
    });
  });

  describe('an erased organization', () => {
    it('accepts no event after the 204, keeps none sent during the erasure, and causes no error', async () => {
      for (let round = 0; round < 4; round++) {
        const { id, owner, key } = await makeTestProject();
        let isErased = false;
        const codes = new Set<string>();
        const sendOnAndOn = async () => {
          while (true) {
            const sentAfter = isErased;
            const { status, json } = await call('POST', '/api/v1/events', {
              apiKey: key,
              body: { type: 'a.b', data: {} },
            });
            if (sentAfter) expect(status).toBe(401);
            codes.add(status === 202 ? 'accepted' : json.code);
            if (sentAfter) return;
          }
        };
        const senders = Promise.all([sendOnAndOn(), sendOnAndOn(), sendOnAndOn()]);
        await sleep(20);
        expect((await erase(owner)).status).toBe(204);
        isErased = true;
        await senders;
        expect([...codes].filter((code) => !['accepted', 'invalid_api_key', 'not_found'].includes(code))).toEqual([]);
        await finishErasures();
        expect(sum(await countProjectRows(id))).toBe(0);
      }
    });

    it.each([
      ['removed at the 204', (_id: string, owner: TestPerson) => erase(owner)],
      ['not yet removed', eraseInPart],
    ])('%s, sends no due delivery, while those of others are sent', async (_name, eraseSomehow) => {
      const receiver = await startReceiver((response) => void setTimeout(() => response.end('ok'), 40));
      const { id, owner } = await makeTestProject();
      const doomed = await insertEndpoint({ url: receiver.url, projectId: id });
      const living = await insertEndpoint({ url: receiver.url.replace('/hook', '/living') });
      // No finisher: what the request leaves stays in the database, and only the deletion itself stops the deliveries.
      await startWorker({ targetConcurrency: 2 });
      await insertEvents(doomed.projectId, 1_000);
      const sentOfDoomed = () => receiver.received.filter(({ path }) => path === '/hook').length;
      await waitFor('deliveries under way', () => sentOfDoomed() > 10);
      await eraseSomehow(id, owner);
      const atEnd = sentOfDoomed();
      await insertEvents(living.projectId, 50);
      const isLiving = () => receiver.received.filter(({ path }) => path === '/living').length === 50;
      await waitFor('the others', isLiving);
      expect(atEnd).toBeLessThan(800);
      // Two may have been under way.
      expect(sentOfDoomed()).toBeLessThanOrEqual(atEnd + 2);
    });

    it('that the request could not remove is removed by a worker immediately, not at its next poll', async () => {
      const { id, owner } = await makeTestProject();
      let looks = 0;
      const look = (signal: AbortSignal) => {
        looks += 1;
        return finishErasures(signal);
      };
      await startWorker({ finishErasures: look });
      await waitFor('the looks at the start', () => looks > 0);
      await sleep(300);
      const before = looks;
      await eraseInPart(id, owner);
      await waitFor('the project to go', async () => !(await exists('projects', id)));
      expect(looks).toBeGreaterThan(before);
    });
  });
});
