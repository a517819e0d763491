import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { makeEntry } from '@/tests/fixtures/tunnels';
import { setTestConfig } from '@/tests/setup/variables';
import { type LogRow, toLogRow } from './log-row';
import { LogBuffer, LogWriter } from './log-writer';

const rowOf = () => toLogRow(makeEntry({ projectId: newId(), tunnelId: newId() }));
const rowError = () => Object.assign(new Error('bad value'), { code: '22P02' });

/** A writer over a store that fails as `fail` says. */
function makeWriter(
  fail: (rows: readonly LogRow[], tryNumber: number) => Error | null = () => null,
  { maxRows = 5_000, gatherMs = 20 } = {},
) {
  const stop = new AbortController();
  const stored: LogRow[] = [];
  const work: Promise<void>[] = [];
  const state = { batches: [] as number[], underWay: 0, mostUnderWay: 0, dropped: 0, tries: 0 };
  const writer = new LogWriter({
    store: async (rows) => {
      state.underWay += 1;
      state.mostUnderWay = Math.max(state.mostUnderWay, state.underWay);
      await sleep(1);
      state.underWay -= 1;
      state.tries += 1;
      const error = fail(rows, state.tries);
      if (error !== null) throw error;
      state.batches.push(rows.length);
      stored.push(...rows);
    },
    onDropped: (count) => {
      state.dropped += count;
    },
    run: (write) => {
      const done = write(stop.signal);
      work.push(done);
      return done;
    },
    buffer: new LogBuffer({ maxRows, maxBytes: 1_000_000_000 }),
    gatherMs,
    retryMs: 1,
  });
  return { writer, state, stored, stop, settle: () => Promise.all(work), starts: work };
}

beforeAll(() => {
  setTestConfig();
});

describe('the writer of the log', () => {
  it('gathers rows, and writes them in batches, one at a time', async () => {
    const { writer, state, stored, settle } = makeWriter();
    const rows = Array.from({ length: 150 }, rowOf);
    for (const row of rows) writer.add(row);
    await settle();
    expect(state.batches).toEqual([64, 64, 22]);
    expect(state.mostUnderWay).toBe(1);
    expect(new Set(stored)).toEqual(new Set(rows));
  });

  it('does not wait for the database when a row is added', async () => {
    const { writer, state, stored, settle } = makeWriter();
    for (let n = 0; n < 1_000; n++) writer.add(rowOf());
    expect([state.tries, stored.length]).toEqual([0, 0]);
    await settle();
    expect(stored).toHaveLength(1_000);
  });

  it('writes rows that are added while it writes, and starts again after it has ended', async () => {
    const { writer, stored, settle, starts } = makeWriter();
    writer.add(rowOf());
    await sleep(25);
    writer.add(rowOf());
    await settle();
    writer.add(rowOf());
    await settle();
    expect(stored).toHaveLength(3);
    expect(starts.length).toBeGreaterThan(1);
  });

  it('tries a failed batch once more', async () => {
    const { writer, state, stored, settle } = makeWriter((_, tryNumber) =>
      tryNumber === 1 ? new Error('lost') : null,
    );
    writer.add(rowOf());
    await settle();
    expect([stored.length, state.tries, state.dropped]).toEqual([1, 2, 0]);
  });

  it('drops and counts a batch that fails twice, then writes the next one', async () => {
    const { writer, state, stored, settle } = makeWriter((_, tryNumber) => (tryNumber <= 2 ? new Error('lost') : null));
    for (let n = 0; n < 70; n++) writer.add(rowOf());
    await settle();
    expect([state.dropped, stored.length]).toEqual([64, 6]);
  });

  it('loses only the bad row of a batch', async () => {
    const rows = Array.from({ length: 5 }, rowOf);
    const { writer, state, stored, settle } = makeWriter((batch) =>
      batch.includes(rows[2] as LogRow) ? rowError() : null,
    );
    for (const row of rows) writer.add(row);
    await settle();
    expect(state.dropped).toBe(1);
    expect(stored).toEqual(rows.filter((_, n) => n !== 2));
  });

  it('counts rows that do not fit', async () => {
    const { writer, state, stored, settle } = makeWriter(() => null, { maxRows: 10 });
    for (let n = 0; n < 25; n++) writer.add(rowOf());
    await settle();
    expect([state.dropped, stored.length]).toEqual([15, 10]);
  });

  it('writes waiting rows at once when the process stops', async () => {
    const { writer, stored, stop, settle } = makeWriter(() => null, { gatherMs: 3_600_000 });
    writer.add(rowOf());
    expect(stored).toEqual([]);
    stop.abort();
    await settle();
    expect(stored).toHaveLength(1);
  });

  it('gives up at the first lost batch when the process stops', async () => {
    const { writer, state, stop, settle } = makeWriter(() => new Error('lost'));
    for (let n = 0; n < 1_000; n++) writer.add(rowOf());
    stop.abort();
    await settle();
    expect(state).toMatchObject({ tries: 2, dropped: 1_000 });
  });
});
