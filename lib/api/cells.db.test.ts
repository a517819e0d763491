import { beforeAll, describe, expect, it } from 'vitest';
import { inCell } from '@/lib/platform/cells/current-cell';
import { count, select } from '@/tests/database/rows';
import { useCells } from '@/tests/database/use-cells';
import { useDatabase } from '@/tests/database/use-database';
import { asPerson } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();

const CELLS = useCells('cell_01');

/** The project of an organization in each cell. */
const projects = new Map<string, TestProject>();

beforeAll(async () => {
  for (const cell of CELLS) {
    const project = await makeTestProject();
    const [organization] = await select<{ cell: string }>(
      'SELECT cell FROM organizations o JOIN projects p ON p.organization_id = o.id WHERE p.id = $1',
      project.id,
    );
    expect(organization?.cell).toBe(cell);
    projects.set(cell, project);
  }
});

const projectIn = (cell: string) => projects.get(cell) as TestProject;
const countIn = (cell: string, table: string, project: string) =>
  inCell(cell, () => count(`SELECT FROM ${table} WHERE project_id = $1`, project));

describe.each(CELLS)('an organization in %s', (cell) => {
  it('keeps what its projects produce in the tables of its cell, and finds it there', async () => {
    const { id, owner, key: apiKey } = projectIn(cell);
    const path = `/api/v1/projects/${id}`;
    const body = { url: 'https://receiver.example/hook', eventTypes: ['*'] };
    const endpoint = await call<{ id: string }>('POST', `${path}/endpoints`, asPerson(owner, body));
    expect(endpoint.status).toBe(201);
    const sent = await call<{ id: string }>('POST', `${path}/events`, {
      apiKey,
      body: { type: 'order.paid', data: { total: 1 } },
    });
    expect(sent.status).toBe(202);
    const other = CELLS.find((each) => each !== cell) as string;
    for (const table of ['endpoints', 'events', 'outbox']) {
      expect([await countIn(cell, table, id), await countIn(other, table, id)], table).toEqual([1, 0]);
    }
    const found = await call<{ data: { id: string }[] }>('GET', `${path}/events`, asPerson(owner));
    expect(found.json.data.map((event) => event.id)).toEqual([sent.json.id]);
    expect((await call('GET', `${path}/events/${sent.json.id}`, { apiKey })).status).toBe(200);
    expect((await call('GET', `${path}/endpoints/${endpoint.json.id}`, asPerson(owner))).status).toBe(200);
  });

  it('refuses events of a key that may not send with the fault of the key', async () => {
    const sent = await call<{ code: string }>('POST', '/api/v1/events', {
      apiKey: projectIn(cell).readOnlyKey,
      body: { type: 'order.paid', data: {} },
    });
    expect([sent.status, sent.json.code]).toEqual([403, 'read_only_key']);
  });

  it('is closed to the people and keys of another cell', async () => {
    const other = projectIn(CELLS.find((each) => each !== cell) as string);
    const path = `/api/v1/projects/${projectIn(cell).id}`;
    expect((await call('GET', `${path}/events`, asPerson(other.owner))).status).toBe(404);
    expect((await call('GET', `${path}/endpoints`, { apiKey: other.key })).status).toBe(404);
    expect((await call('POST', `${path}/events`, { apiKey: other.key, body: { type: 'a', data: {} } })).status).toBe(
      404,
    );
  });
});
