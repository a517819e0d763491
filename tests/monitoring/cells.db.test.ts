import { beforeAll, expect, it } from 'vitest';
import { DELIVERY_QUEUE } from '@/lib/delivery/workers/queue-metrics';
import { readCells } from '@/lib/platform/cells/cells';
import { inCell, setKnownCells } from '@/lib/platform/cells/current-cell';
import { setOnce } from '@/lib/platform/globals';
import { RETENTION_COLLECTORS } from '@/lib/retention/figures/retention-metrics';
import { run } from '@/tests/database/rows';
import { useCells } from '@/tests/database/use-cells';
import { useDatabase } from '@/tests/database/use-database';
import { insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { scrapeNow } from './exposition';

useDatabase();
useCells('cell_01');

beforeAll(async () => {
  const fill = (cell: string, events: number, seconds: number) =>
    inCell(cell, async () => {
      await insertEvents(await insertProject(), events);
      await run('UPDATE outbox SET available_at = now() - make_interval(secs => $1)', seconds);
      await run('UPDATE events SET created_at = now() - make_interval(secs => $1)', seconds);
    });
  await fill('cell_00', 2, 400);
  await fill('cell_01', 3, 100);
});

/** Reads all samples as a web process that has just started, by series. */
async function scrape(): Promise<Record<string, number>> {
  for (const { name } of [DELIVERY_QUEUE, ...RETENTION_COLLECTORS]) setOnce(`metrics-collector-${name}`, undefined);
  return Object.assign({}, ...[...(await scrapeNow()).values()].map(({ samples }) => samples));
}

it('/metrics adds up what is in all cells, takes the oldest of any, and shows each cell', async () => {
  const found = await scrape();
  expect(found).toMatchObject({
    outbox_pending: 5,
    'cell_outbox_pending{cell="cell_00"}': 2,
    'cell_outbox_pending{cell="cell_01"}': 3,
    'cell_delivery_due{cell="cell_01"}': 0,
    'cell_table_rows{cell="cell_00",table="events"}': expect.any(Number),
    'cell_table_rows{cell="cell_01",table="delivery_attempts"}': 0,
  });
  expect(found['outbox_oldest_due_age_seconds{kind="event"}']).toBeCloseTo(400, -2);
  expect(found['cell_outbox_oldest_due_age_seconds{cell="cell_01"}']).toBeCloseTo(100, -2);
  const oldest = found['retention_oldest_row_timestamp_seconds{table="events"}'] ?? 0;
  expect(Date.now() / 1000 - oldest).toBeGreaterThan(399);
});

it('/metrics names no cell where there is one', async () => {
  setKnownCells(['cell_00']);
  const found = await scrape();
  await readCells();
  expect(found.outbox_pending).toBe(2);
  expect(Object.keys(found).filter((series) => series.includes('cell'))).toEqual([]);
});
