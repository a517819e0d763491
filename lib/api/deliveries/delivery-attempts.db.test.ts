import { beforeEach, describe, expect, it } from 'vitest';
import type { Attempt, Delivery } from '@/lib/delivery/schema';
import { DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { createPartitionsAhead } from '@/lib/retention/partitions/create-partitions';
import { useDatabase } from '@/tests/database/use-database';
import { fillProject } from '@/tests/fixtures/full-project';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();

let project: TestProject;
let path: string;

const read = async <T>(of: string) => (await call<T>('GET', of, { apiKey: project.key })).json;

beforeEach(async () => {
  project = await makeTestProject();
  await createPartitionsAhead(new Date(Date.now() - 4 * DAY_MS));
  await fillProject(project.id, { events: 1, attempts: 4 });
  const { rows } = await database().query<{ id: string }>(
    'SELECT id FROM deliveries WHERE project_id = $1 AND event_id IS NOT NULL',
    [project.id],
  );
  path = `/api/v1/projects/${project.id}/deliveries/${rows[0]?.id}`;
});

describe('the stored attempts of a delivery', () => {
  it('are counted exactly after the partition of a day is dropped', async () => {
    expect((await read<Delivery>(path)).storedAttempts).toBe(4);
    const { rows } = await database().query<{ name: string }>(
      'SELECT DISTINCT tableoid::regclass::text AS name FROM delivery_attempts WHERE project_id = $1 AND attempt_number = 2',
      [project.id],
    );
    expect(rows[0]?.name).toMatch(/^partitions\.delivery_attempts_succeeded_p\d{8}$/);
    await database().query(`DROP TABLE ${rows[0]?.name}`);
    expect((await read<Delivery>(path)).storedAttempts).toBe(3);
    const listed = await read<Listing<Attempt>>(`${path}/attempts`);
    expect(listed.data.map(({ attemptNumber }) => attemptNumber).sort()).toEqual([1, 3, 4]);
  });

  it('are zero once all are removed, and the delivery stays', async () => {
    await database().query('DELETE FROM delivery_attempts WHERE project_id = $1', [project.id]);
    expect(await read<Delivery>(path)).toMatchObject({ storedAttempts: 0, status: 'FAILED' });
    expect((await read<Listing<Attempt>>(`${path}/attempts`)).data).toEqual([]);
  });
});
