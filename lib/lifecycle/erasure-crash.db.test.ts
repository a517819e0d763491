import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { countProjectRows, fillProject } from '@/tests/fixtures/full-project';
import { makeProject, registerPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import { endProcess, useWorkerProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';

const variables = testVariables();
const { url } = useDatabase(variables);
const startWorkerProcess = useWorkerProcesses(() => ({ ...variables, DATABASE_URL: url }));

const countRows = async (projectId: string) =>
  Object.values(await countProjectRows(projectId)).reduce((sum, count) => sum + count, 0);

it('a large organization is unreachable at the 204, and removed even though workers are killed meanwhile', {
  timeout: 60_000,
}, async () => {
  const owner = await registerPerson();
  const other = await registerPerson();
  const project = await makeProject(owner);
  const kept = await makeProject(other);
  await fillProject(project.id, { events: 12_000, attempts: 1 });
  await fillProject(kept.id);
  // Without due deliveries, which the workers would continue to send.
  await database().query('DELETE FROM outbox WHERE project_id = $1', [kept.id]);
  const keptRows = await countProjectRows(kept.id);
  // Another transaction locks a row that the erasure needs, so the request gives up and leaves the removal to the workers.
  const holder = await database().connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM outbox WHERE project_id = $1 FOR UPDATE', [project.id]);
  const orgPath = `/api/v1/orgs/${owner.organizationId}`;
  expect((await call('DELETE', orgPath, { bearer: owner.accessToken })).status).toBe(204);
  expect((await call('GET', orgPath, { bearer: owner.accessToken })).status).toBe(404);
  await holder.query('COMMIT');
  holder.release();

  let left = await countRows(project.id);
  expect(left).toBeGreaterThan(36_000);
  for (let round = 0; round < 2; round++) {
    const worker = await startWorkerProcess();
    const before = left;
    await waitFor('a worker to have removed some of it', async () => (await countRows(project.id)) < before - 2_000);
    await endProcess(worker, 'SIGKILL');
    left = await countRows(project.id);
    expect(left).toBeGreaterThan(0);
  }
  await startWorkerProcess();
  const isGone = async () =>
    (await database().query('SELECT FROM organizations WHERE id = $1', [owner.organizationId])).rowCount === 0;
  await waitFor('the organization to go', isGone, 60_000);
  expect(await countRows(project.id)).toBe(0);
  const orphans = await database().query(
    'SELECT FROM delivery_attempts a WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.id = a.delivery_id)',
  );
  expect(orphans.rowCount).toBe(0);
  expect(await countProjectRows(kept.id)).toEqual(keptRows);
});
