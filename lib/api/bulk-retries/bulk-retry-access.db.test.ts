import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryCount } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { NONE, useBulkRetries } from '@/tests/fixtures/bulk-retries';
import { dueDeliveries, insertEndedDeliveries } from '@/tests/fixtures/ended-deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { registerMember } from '@/tests/fixtures/people';
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
  it('a viewer and a read-only key can watch them, but not start or cancel one', async () => {
    await insert(1);
    const { id } = await start();
    const viewer = await registerMember(project.owner.organizationId, 'VIEWER');
    for (const credentials of [{ bearer: viewer.accessToken }, { apiKey: project.readOnlyKey }]) {
      expect((await send('GET', `/bulk-retries/${id}`, undefined, credentials)).status).toBe(200);
      expect((await send('GET', '/delivery-count', undefined, credentials)).status).toBe(200);
      expect((await send('POST', '/bulk-retries', {}, credentials)).status).toBe(403);
      expect((await send('POST', `/bulk-retries/${id}/cancel`, undefined, credentials)).status).toBe(403);
    }
    const developer = await registerMember(project.owner.organizationId, 'DEVELOPER');
    const credentials = { bearer: developer.accessToken };
    expect((await send('POST', '/bulk-retries', {}, credentials)).status).toBe(202);
    expect((await send('POST', `/bulk-retries/${id}/cancel`, undefined, credentials)).status).toBe(200);
  });

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

describe('the count of deliveries', () => {
  it('counts what the filters match, in this project only', async () => {
    await insert(4);
    await insert(2, { status: 'SUCCEEDED', response: 200 });
    const count = async (query: string) => (await send<DeliveryCount>('GET', `/delivery-count${query}`)).json;
    expect(await count('')).toEqual({ count: 6, isExact: true });
    expect(await count('?status=FAILED&responseStatus=5xx')).toEqual({ count: 4, isExact: true });
    expect(await count('?eventType=invoice.*')).toEqual({ count: 0, isExact: true });
    project = await makeTestProject();
    expect(await count('')).toEqual({ count: 0, isExact: true });
  });
});
