import { beforeEach, describe, expect, it } from 'vitest';
import { continueBulkRetries } from '@/lib/delivery/bulk-retries/continue-bulk-retries';
import type { BulkRetry } from '@/lib/delivery/schema';
import { count, run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { insertEndedDeliveries } from '@/tests/fixtures/ended-deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { endProcess, useWorkerProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';

const variables = testVariables();
const { url } = useDatabase(variables);
const startWorkerProcess = useWorkerProcesses(() => ({ ...variables, DATABASE_URL: url }));
const { makeEndpoint } = useEndpoints();

let project: TestProject;
beforeEach(async () => {
  await run(`UPDATE bulk_retries SET status = 'CANCELED' WHERE status = 'RUNNING'`);
  project = await makeTestProject();
});

const send = async (verb: string, tail: string, body?: object) =>
  (
    await call<BulkRetry>(verb, `/api/v1/projects/${project.id}/bulk-retries${tail}`, {
      apiKey: project.key,
      ...(body === undefined ? {} : { body }),
    })
  ).json;
const insert = async (count: number, url = 'http://127.0.0.1:9/hook') => {
  const endpoint = await makeEndpoint(project, { url, retrySeconds: [] });
  return insertEndedDeliveries({ projectId: project.id, endpointId: endpoint.id, count });
};

describe('a bulk retry', () => {
  it('is finished by two workers, which send each delivery once', async () => {
    const receiver = await startReceiver();
    await insert(150, receiver.url);
    const { id } = await send('POST', '', {});
    await startWorker({ continueBulkRetries });
    await startWorker({ continueBulkRetries });
    await waitFor('the deliveries', () => receiver.received.length >= 150);
    await waitFor('the end', async () => (await send('GET', `/${id}`)).status === 'COMPLETED');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(150);
    expect(receiver.received).toHaveLength(150);
  });

  it('retries nothing after its cancel was answered, while workers continue it', async () => {
    await insert(1_800);
    const { id } = await send('POST', '', {});
    let isDone = false;
    const workers = Promise.all(
      Array.from({ length: 3 }, async () => {
        while (!isDone) {
          await run(`UPDATE bulk_retries SET next_batch_at = now() WHERE id = $1`, id);
          // As if each batch had been sent at once: the job must not wait for its target.
          await run(
            `UPDATE deliveries SET next_attempt_at = now() + interval '1 hour'
             WHERE project_id = $1 AND status = 'PENDING' AND next_attempt_at <= now()`,
            project.id,
          );
          await continueBulkRetries();
        }
      }),
    );
    await waitFor('a batch', async () => (await send('GET', `/${id}`)).retried >= 100);
    const canceled = await send('POST', `/${id}/cancel`);
    const retried = async () => {
      const sql = `SELECT FROM deliveries WHERE project_id = $1 AND status = 'PENDING'`;
      return await count(sql, project.id);
    };
    const before = await retried();
    await continueBulkRetries();
    isDone = true;
    await workers;
    expect(canceled.status).toBe('CANCELED');
    expect([await retried(), canceled.retried]).toEqual([before, before]);
    expect(before).toBeLessThan(1_800);
  });

  it('is finished by the next worker when workers are killed, and never retries a delivery twice', {
    timeout: 120_000,
  }, async () => {
    // Every attempt fails and is the last, so a delivery that is retried twice would get a third attempt.
    const receiver = await startReceiver((response) => response.writeHead(500).end());
    const ids = await insert(700, receiver.url);
    await run('UPDATE endpoints SET retry_seconds = $2 WHERE project_id = $1', project.id, [604_800]);
    const { id } = await send('POST', '', {});
    for (const retried of [100, 300]) {
      const worker = await startWorkerProcess();
      await waitFor('some batches', async () => (await send('GET', `/${id}`)).retried >= retried, 30_000);
      await endProcess(worker, 'SIGKILL');
      expect((await send('GET', `/${id}`)).status).toBe('RUNNING');
    }
    const last = await startWorkerProcess();
    await waitFor('the end', async () => (await send('GET', `/${id}`)).status === 'COMPLETED', 60_000);
    expect(await send('GET', `/${id}`)).toMatchObject({ total: 700, retried: 700 });
    await endProcess(last, 'SIGTERM');
    const rows = await select<{ steps: number }>(
      `SELECT max(schedule_step)::int AS steps FROM deliveries WHERE id = ANY($1::uuid[]) AND status = 'PENDING'`,
      ids,
    );
    expect(rows[0]?.steps).toBe(1);
  });
});
