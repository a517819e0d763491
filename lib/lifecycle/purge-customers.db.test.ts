import { describe, expect, it, vi } from 'vitest';
import { currentCell, FIRST_CELL } from '@/lib/platform/cells/current-cell';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { count, run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoints, insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { makeProject, registerPerson } from '@/tests/fixtures/people';
import { purgeDeletedCustomers } from './purge-customers';
import { selectDeletedCustomers } from './purge-customers-sql';
import * as purging from './purge-project';

useDatabase();

const insertDeleted = (projectId: string, ageSeconds: number) =>
  database().query(
    `INSERT INTO customers (id, project_id, uid, deleted_at)
     VALUES ($1, $2, $3, now() - make_interval(secs => $4))`,
    [newId(), projectId, newId(), ageSeconds],
  );

describe('the removal of deleted customers', () => {
  it('takes one of each tenant before the second of another, however many projects that has', async () => {
    const owner = await registerPerson();
    for (let n = 0; n < 3; n++) {
      const { id } = await makeProject(owner, `Shop ${n}`);
      for (let m = 0; m < 2; m++) await insertDeleted(id, 60);
    }
    const other = await insertProject();
    await insertDeleted(other, 60);
    for (let round = 0; round < 5; round++) {
      const chosen = await selectDeletedCustomers.all(database(), { limit: 2 });
      expect(chosen.map((customer) => customer.project_id)).toContain(other);
    }
  });

  it('waits in a cell for the end of the moves to it, as what refers to the customer may follow', async () => {
    const project = await insertProject();
    await insertDeleted(project, 60);
    const left = () => count('SELECT FROM customers WHERE project_id = $1', project);
    await run(`INSERT INTO cells (name) VALUES ('cell_09')`);
    await run(
      `INSERT INTO cell_moves (organization_id, source, target)
       SELECT organization_id, 'cell_09', $2 FROM projects WHERE id = $1`,
      project,
      currentCell() ?? FIRST_CELL,
    );
    await purgeDeletedCustomers();
    expect(await left()).toBe(1);
    await run('DELETE FROM cell_moves');
    await purgeDeletedCustomers();
    expect(await left()).toBe(0);
  });

  it('rests after each batch of deliveries', async () => {
    const project = await insertEndpoints(Array.from({ length: 220 }, () => 'https://receiver.example/'));
    await insertDeleted(project, 60);
    const [customer] = await select('SELECT id FROM customers WHERE project_id = $1', project);
    await insertEvents(project, 10, { customerId: customer?.id });
    await run(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status)
       SELECT gen_random_uuid(), $1, v.id, e.id, 'FAILED' FROM events v JOIN endpoints e USING (project_id) WHERE project_id = $1`,
      project,
    );
    const rest = vi.spyOn(purging, 'rest');
    await purgeDeletedCustomers();
    expect(await count('SELECT FROM deliveries WHERE project_id = $1', project)).toBe(0);
    // Of 1,000, 1,000 and 200 deliveries; the last one ends with the events.
    expect(rest).toHaveBeenCalledTimes(3);
    rest.mockRestore();
  });

  it('waits until requests that had found the customer have ended', async () => {
    const project = await insertProject();
    await insertDeleted(project, 20);
    const chosen = async () =>
      (await selectDeletedCustomers.all(database(), { limit: 100 })).filter((each) => each.project_id === project);
    expect(await chosen()).toEqual([]);
    await database().query(`UPDATE customers SET deleted_at = now() - interval '31 seconds' WHERE project_id = $1`, [
      project,
    ]);
    expect(await chosen()).toHaveLength(1);
  });
});
