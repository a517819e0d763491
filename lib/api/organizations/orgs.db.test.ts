import { describe, expect, it } from 'vitest';
import type { Organization } from '@/lib/orgs/schema';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';

useDatabase();

const create = (person: TestPerson, name: string) =>
  call<Organization>('POST', '/api/v1/orgs', { bearer: person.accessToken, body: { name } });
const list = (person: TestPerson, query = '') =>
  call<Listing<Organization>>('GET', `/api/v1/orgs${query}`, { bearer: person.accessToken });
const get = <T = Organization>(person: TestPerson, id: string) =>
  call<T>('GET', `/api/v1/orgs/${id}`, { bearer: person.accessToken });
const rename = <T = Organization>(person: TestPerson, id: string, body: unknown) =>
  call<T>('PATCH', `/api/v1/orgs/${id}`, { bearer: person.accessToken, body });

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
    const entries = await auditOf(made.json.id);
    expect(entries).toMatchObject([{ action: 'organization.created', actor_id: person.userId }]);
  });

  it('are listed newest first, in pages that miss and repeat no row, without those of others', async () => {
    const [person, stranger] = [await registerPerson(), await registerPerson()];
    const names = ['one', 'two', 'three', 'four'];
    for (const name of names) await create(person, name);
    await create(stranger, 'not theirs');
    const seen: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const page = await list(person, query);
      seen.push(...page.json.data.map(({ name }) => name));
      if (page.json.nextCursor === null) break;
      query = `?limit=2&cursor=${page.json.nextCursor}`;
      if (seen.length === 2) await create(person, 'arrived meanwhile');
    }
    expect(seen.slice(0, 4)).toEqual(names.toReversed());
    expect(seen).toHaveLength(5);
    expect((await list(person)).json.data[0]?.name).toBe('arrived meanwhile');
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
