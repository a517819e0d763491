import { expect, it, onTestFinished } from 'vitest';
import { inCell } from '@/lib/platform/cells/current-cell';
import { inSqlTransaction } from '@/lib/platform/db';
import { useCells } from '@/tests/database/use-cells';
import { useDatabase } from '@/tests/database/use-database';
import { beginToFail, makeAlert, messagesOf } from '@/tests/fixtures/alerts';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { makeTestProject } from '@/tests/fixtures/projects';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { AlertWorker } from './alert-worker';

useDatabase();
const CELLS = useCells('cell_01');

it('alerts of a cell are checked and sent while another does not answer', async () => {
  const [silent, other] = CELLS as [string, string];
  const receiver = await startReceiver();
  // The first project is in the first cell.
  await makeTestProject();
  const project = await makeTestProject();
  const endpoint = await inCell(other, () => insertEndpoint({ url: 'https://other.example/', projectId: project.id }));
  await inCell(other, () => beginToFail(endpoint, 30));
  const to = { kind: 'WEBHOOK', target: receiver.url };
  await makeAlert(project, ['ENDPOINT_FAILING'], to);
  await inSqlTransaction(async (tx) => {
    await tx.query(`LOCK TABLE ${silent}.alerts, ${silent}.alert_messages IN ACCESS EXCLUSIVE MODE`);
    const worker = new AlertWorker();
    onTestFinished(() => worker.stop(3_000));
    worker.start();
    await waitFor('the message', () => receiver.received.length === 1);
  });
});

it('alerts of each cell are checked and sent', async () => {
  const receiver = await startReceiver();
  const alerts = [];
  for (const cell of CELLS) {
    const project = await makeTestProject();
    const url = `https://${cell.replace('_', '-')}.example/hook`;
    const endpoint = await inCell(cell, () => insertEndpoint({ url, projectId: project.id }));
    await inCell(cell, () => beginToFail(endpoint, 30));
    const to = { kind: 'WEBHOOK', target: receiver.url };
    alerts.push({ project, url, alert: await makeAlert(project, ['ENDPOINT_FAILING'], to) });
  }
  const worker = new AlertWorker();
  onTestFinished(() => worker.stop(3_000));
  worker.start();
  for (const { project, url, alert } of alerts) {
    const read = async () =>
      (await messagesOf(project, alert)).map(({ kind, status, text }) => [kind, status, text.includes(url)]);
    await waitFor('the message', async () => (await read())[0]?.[1] === 'SENT');
    expect(await read()).toEqual([['BEGAN', 'SENT', true]]);
  }
  expect(receiver.received).toHaveLength(CELLS.length);
});
