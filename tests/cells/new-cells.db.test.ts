import { afterAll, expect, it, onTestFinished } from 'vitest';
import { readCells } from '@/lib/platform/cells/cells';
import { inCell, setKnownCells } from '@/lib/platform/cells/current-cell';
import { watchCells } from '@/lib/platform/cells/watch-cells';
import { inSqlTransaction } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { count } from '@/tests/database/rows';
import { addPlacedCell } from '@/tests/database/use-cells';
import { placeOrganizations, useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { insertEndpoint, insertEvents, readAttempts } from '@/tests/fixtures/deliveries';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();
placeOrganizations();
afterAll(() => setKnownCells(['cell_00']));

it('a cell that appears while a worker runs is served without a restart, and what was under way is recorded once', async () => {
  let answer: () => void = () => undefined;
  const slow = await startReceiver((response) => {
    answer = () => response.end();
  });
  const underWay = await insertEndpoint({ url: slow.url });
  const sent: string[] = [];
  const worker = await startWorker({ sendMail: async () => void sent.push('mail') });
  const stop = await watchCells((cells) => worker.serve(cells), 100);
  onTestFinished(stop);
  await insertEvents(underWay.projectId, 1);
  await waitFor('an attempt under way', () => slow.received.length === 1);

  await addPlacedCell('cell_01');
  const receiver = await startReceiver();
  const endpoints = await Promise.all(
    ['cell_00', 'cell_01'].map(async (cell) => {
      const endpoint = await inCell(cell, () => insertEndpoint({ url: receiver.url }));
      await inCell(cell, () => insertEvents(endpoint.projectId, 1));
      await waitFor(`a delivery in ${cell}`, () => inCell(cell, isSettled(endpoint.id, 1)));
      return endpoint;
    }),
  );
  expect(receiver.received).toHaveLength(2);
  await inSqlTransaction((tx) => enqueueMail(tx, { to: 'ada@example.com', subject: 'Hello', text: 'Hello' }));
  await waitFor('the mail', () => sent.length === 1);
  await waitFor('only the slow attempt under way', () => worker.status().underWay === 1);
  answer();
  await waitFor('the result', () => inCell('cell_00', isSettled(underWay.id, 1)));
  expect(await inCell('cell_00', () => readAttempts(underWay.id))).toHaveLength(1);
  expect(slow.received).toHaveLength(1);
  await waitFor('nothing under way', () => worker.status().underWay === 0);
  for (const [index, cell] of ['cell_00', 'cell_01'].entries()) {
    expect(await inCell(cell, () => readAttempts(endpoints[index]?.id ?? ''))).toHaveLength(1);
    expect(await inCell(cell, () => count('SELECT FROM outbox'))).toBe(0);
  }
});

it('an event of each of eight cells arrives', async () => {
  const cells = Array.from({ length: 8 }, (_, index) => `cell_0${index}`);
  for (const cell of cells.slice(2)) await addPlacedCell(cell);
  await readCells();
  await startWorker();
  const receiver = await startReceiver();
  const eventIds = await Promise.all(
    cells.map((cell) =>
      inCell(cell, async () => {
        const endpoint = await insertEndpoint({ url: receiver.url });
        const [id] = await insertEvents(endpoint.projectId, 1);
        await waitFor(`a delivery in ${cell}`, isSettled(endpoint.id, 1));
        return id;
      }),
    ),
  );
  expect(receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(eventIds.sort());
});
