import { beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { NONE, useBulkRetries } from '@/tests/fixtures/bulk-retries';
import { dueDeliveries, insertEndedDeliveries } from '@/tests/fixtures/ended-deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';

useDatabase();
const { makeEndpoint } = useEndpoints();

let project: TestProject;
let endpointId: string;
beforeEach(async () => {
  await database().query(`UPDATE bulk_retries SET status = 'CANCELED' WHERE status = 'RUNNING'`);
  project = await makeTestProject();
  endpointId = (await makeEndpoint(project)).id;
});

const { send, start, runToEnd } = useBulkRetries(() => project);
const insert = (count: number, options: Partial<Parameters<typeof insertEndedDeliveries>[0]> = {}) =>
  insertEndedDeliveries({ projectId: project.id, endpointId, count, ...options });

describe('who may use bulk retries', () => {
  it('one of a project never reaches deliveries of another, and cannot be seen from there', async () => {
    const [foreign = ''] = await insert(1);
    const mine = project;
    const { id: foreignJob } = await start();
    project = await makeTestProject();
    expect((await send('GET', `/bulk-retries/${foreignJob}`)).status).toBe(404);
    expect((await send('POST', `/bulk-retries/${foreignJob}/cancel`)).status).toBe(404);
    const { id } = await start({ deliveryIds: [foreign] });
    expect((await start({ endpointId })).total).toBe(0);
    await database().query(`UPDATE bulk_retries SET status = 'CANCELED' WHERE id = $1`, [foreignJob]);
    expect(await runToEnd(id)).toMatchObject({ retried: 0, skipped: { ...NONE, gone: 1 } });
    expect(await dueDeliveries(mine.id)).toEqual([]);
  });
});
