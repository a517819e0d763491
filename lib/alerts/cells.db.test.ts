import { expect, it, onTestFinished } from 'vitest';
import { inCell } from '@/lib/platform/cells/current-cell';
import { useCells } from '@/tests/database/use-cells';
import { useDatabase } from '@/tests/database/use-database';
import { beginToFail, makeAlert, messagesOf } from '@/tests/fixtures/alerts';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { makeTestProject } from '@/tests/fixtures/projects';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { AlertWorker } from './alert-worker';

useDatabase();
const CELLS = useCells('cell_01');

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
