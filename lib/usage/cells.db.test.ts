import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { admitIntake } from '@/lib/orgs/admit-intake';
import { mayStoreMore } from '@/lib/orgs/stored-bytes';
import { ownerOfProject } from '@/lib/orgs/tenant';
import { inCell, knownCells } from '@/lib/platform/cells/current-cell';
import { config } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';
import type { OrganizationRetention } from '@/lib/retention/schema';
import { run, select } from '@/tests/database/rows';
import { useCells } from '@/tests/database/use-cells';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents } from '@/tests/fixtures/deliveries';
import { asPerson, makeProject, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import type { ProjectLimits } from './schema';

useDatabase();
useCells('cell_01');

let person: TestPerson;
/** A project of the person in each cell, by its cell. */
const projects = new Map<string, { id: string; organizationId: string }>();

beforeAll(async () => {
  person = await registerPerson();
  const first = await makeProject(person);
  const { json } = await call<{ id: string }>('POST', '/api/v1/orgs', asPerson(person, { name: 'Second' }));
  const path = `/api/v1/orgs/${json.id}/projects`;
  const second = await call<{ id: string }>('POST', path, asPerson(person, { name: 'Shop' }));
  for (const { id } of [first, second.json]) {
    const [found] = await select(
      'SELECT o.id, o.cell FROM organizations o JOIN projects p ON p.organization_id = o.id WHERE p.id = $1',
      id,
    );
    projects.set(found.cell, { id, organizationId: found.id });
    await ownerOfProject(id);
  }
  expect([...projects.keys()].sort()).toEqual(knownCells());
});

const projectIn = (cell: string) => projects.get(cell) ?? { id: '', organizationId: '' };

describe('what a person has stored', () => {
  afterEach(() => setOnce('intake-owners', undefined));

  const store = (cell: string, bytes: number) =>
    inCell(cell, () =>
      run(
        `INSERT INTO stored_bytes (project_id, day, events) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2)`,
        projectIn(cell).id,
        bytes,
      ),
    );

  it('is the sum over their organizations in all cells, for requests and for jobs in one of them', async () => {
    const { id: projectId } = projectIn('cell_01');
    const mayJobStore = () => inCell('cell_01', () => mayStoreMore(projectId));
    setOnce('config', { ...config(), OWNER_MAX_STORED_BYTES: 1_000 });
    await store('cell_00', 600);
    expect(await mayJobStore()).toBe(true);
    expect(admitIntake(projectId, 0)).toBe(person.userId);
    await store('cell_01', 600);
    setOnce('intake-owners', undefined);
    expect(await mayJobStore()).toBe(false);
    for (const { id } of projects.values()) {
      expect(() => admitIntake(id, 0)).toThrow('has stored as much as it may');
    }
  });
});

describe.each(['cell_00', 'cell_01'])('an organization in %s', (cell) => {
  it('has its own limits and rows in what it is shown', async () => {
    const { id, organizationId } = projectIn(cell);
    const events = cell === 'cell_00' ? 2 : 3;
    await inCell(cell, async () => {
      await insertEndpoint({ url: 'https://receiver.example/hook', projectId: id });
      await insertEvents(id, events);
    });
    const limits = await call<ProjectLimits>('GET', `/api/v1/projects/${id}/limits`, asPerson(person));
    expect(limits.json.limits).toContainEqual(expect.objectContaining({ name: 'endpoints', used: 1 }));
    const path = `/api/v1/orgs/${organizationId}/retention`;
    const { json } = await call<OrganizationRetention>('GET', path, asPerson(person));
    expect(json.classes).toContainEqual(expect.objectContaining({ data: 'events', rows: events }));
  });
});
