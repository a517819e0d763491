import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents } from '@/tests/fixtures/deliveries';
import { countAttemptsDirectly, readStats } from '@/tests/fixtures/stats';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { endProcess, useWorkerProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';
import { rollUpStats } from './roll-up';

const variables = testVariables();
const { url } = useDatabase(variables);
const startWorkerProcess = useWorkerProcesses(() => ({ ...variables, DATABASE_URL: url }));

it('statistics equal the recorded attempts after workers were killed while they delivered and counted', {
  timeout: 180_000,
}, async () => {
  const receiver = await startReceiver((response, index) => {
    response.writeHead(index % 5 === 0 ? 500 : 200).end();
  });
  const endpoints = await Promise.all(
    Array.from({ length: 4 }, () => insertEndpoint({ url: receiver.url, retrySeconds: [1] })),
  );
  const send = async () => {
    for (let batch = 0; batch < 40; batch += 1) {
      for (const { projectId } of endpoints) await insertEvents(projectId, 10);
      await sleep(10);
    }
  };
  const other = await startWorkerProcess();
  let worker = await startWorkerProcess();
  const sending = send();
  for (const received of [150, 500, 900]) {
    await waitFor('some deliveries', () => receiver.received.length > received, 60_000);
    await endProcess(worker, 'SIGKILL');
    worker = await startWorkerProcess();
  }
  await sending;
  const left = `SELECT FROM outbox UNION ALL SELECT FROM deliveries WHERE status = 'PENDING'`;
  await waitFor('every delivery', async () => (await database().query(left)).rowCount === 0, 90_000);
  await Promise.all([worker, other].map((each) => endProcess(each, 'SIGTERM')));
  while (await rollUpStats());
  const direct = await countAttemptsDirectly();
  expect(direct.length).toBeGreaterThan(12);
  expect(await readStats()).toEqual(direct);
});
