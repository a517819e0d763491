import { expect, it } from 'vitest';
import type { Job } from '@/lib/delivery/engine/types';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents, readDeliveries, type TestEndpoint } from '@/tests/fixtures/deliveries';
import { claimFirstJobs } from '@/tests/fixtures/outbox';
import { storeQueued } from './store-jobs';

useDatabase();

async function makeJob(): Promise<{ endpoint: TestEndpoint; job: Job }> {
  const endpoint = await insertEndpoint({ url: 'http://receiver.test/' });
  await insertEvents(endpoint.projectId, 1);
  const [job] = (await claimFirstJobs(endpoint.projectId)) as [Job];
  return { endpoint, job };
}

const readOutbox = async ({ projectId }: TestEndpoint) =>
  (await database().query('SELECT last_error, attempts FROM outbox WHERE project_id = $1', [projectId])).rows;

it('a delivery that the database rejects reschedules its own event and delays no other', async () => {
  const [good, bad, also] = [await makeJob(), await makeJob(), await makeJob()];
  bad.job.targetId = newId();
  const stored = await storeQueued([good.job, bad.job, also.job]);
  expect(stored).toEqual([good.job, also.job]);
  for (const { endpoint } of [good, also]) {
    expect(await readDeliveries(endpoint.id)).toMatchObject([{ status: 'PENDING' }]);
    expect(await readOutbox(endpoint)).toEqual([]);
  }
  expect(await readDeliveries(bad.endpoint.id)).toEqual([]);
  expect(await readOutbox(bad.endpoint)).toMatchObject([{ last_error: expect.stringContaining('foreign key') }]);
});
