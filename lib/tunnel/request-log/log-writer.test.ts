import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { makeEntry } from '@/tests/fixtures/tunnels';
import { setTestConfig } from '@/tests/setup/variables';
import { type LogRow, rowBytes, toLogRow } from './log-row';
import { LogBuffer, LogWriter, MinuteAllowance } from './log-writer';

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

describe('the buffer of the log', () => {
  const heavy = newId();
  const light = newId();

  const rowOf = (projectId: string, bytes = 0): LogRow => ({
    ...toLogRow(makeEntry({ projectId, tunnelId: newId() }, { responseBody: null })),
    requestBody: { bytes: Buffer.alloc(bytes, 'x'), truncated: false },
  });
  const lengthsOf = (rows: LogRow[]) => rows.map(({ requestBody }) => requestBody?.bytes.length ?? null);

  /** Takes all rows. */
  function drain(buffer: LogBuffer): LogRow[] {
    const all: LogRow[] = [];
    while (buffer.length > 0) all.push(...buffer.take());
    return all;
  }

  it('returns rows in their order, at most 64 in a batch', () => {
    const buffer = new LogBuffer();
    const rows = Array.from({ length: 100 }, () => rowOf(heavy));
    for (const row of rows) expect(buffer.push(row)).toBe(0);
    const first = buffer.take();
    expect(first).toEqual(rows.slice(0, 64));
    expect(buffer.take()).toEqual(rows.slice(64));
    expect([buffer.length, buffer.size, buffer.take()]).toEqual([0, 0, []]);
  });

  it('returns at most 4 MiB in a batch, and a larger row alone', () => {
    const buffer = new LogBuffer();
    for (const megabytes of [3, 3, 5, 0]) buffer.push(rowOf(heavy, megabytes * 1024 * 1024));
    expect([buffer.take(), buffer.take(), buffer.take(), buffer.take()].map((batch) => batch.length)).toEqual([
      1, 1, 1, 1,
    ]);
  });

  it('says when a batch is full, by rows and by bytes', () => {
    const buffer = new LogBuffer();
    for (let n = 0; n < 63; n++) buffer.push(rowOf(heavy));
    expect(buffer.hasFullBatch).toBe(false);
    buffer.push(rowOf(heavy));
    expect(buffer.hasFullBatch).toBe(true);
    const large = new LogBuffer();
    large.push(rowOf(heavy, 5 * 1024 * 1024));
    expect(large.hasFullBatch).toBe(true);
  });

  it('lets projects take turns', () => {
    const buffer = new LogBuffer();
    for (let n = 0; n < 200; n++) buffer.push(rowOf(heavy));
    buffer.push(rowOf(light));
    expect(buffer.take().findIndex(({ projectId }) => projectId === light)).toBe(1);
  });

  it('removes the bodies of the oldest rows first when it holds too many bytes, and drops no row', () => {
    const buffer = new LogBuffer({ maxRows: 100, maxBytes: 10_000 });
    for (let n = 0; n < 5; n++) expect(buffer.push(rowOf(heavy, 2_000))).toBe(0);
    expect(buffer.size).toBeLessThanOrEqual(10_000);
    expect(lengthsOf(drain(buffer))).toEqual([null, null, 2_000, 2_000, 2_000]);
  });

  it('drops the oldest rows when no body is left to remove', () => {
    const rows = Array.from({ length: 5 }, () => rowOf(heavy, 0));
    const buffer = new LogBuffer({ maxRows: 100, maxBytes: 3 * rowBytes(rows[0] as LogRow) });
    expect(rows.map((row) => buffer.push(row))).toEqual([0, 0, 0, 1, 1]);
    expect(drain(buffer)).toEqual(rows.slice(2));
  });

  it('drops the oldest rows beyond its number of rows', () => {
    const buffer = new LogBuffer({ maxRows: 3, maxBytes: 1_000_000 });
    const rows = Array.from({ length: 5 }, () => rowOf(heavy));
    expect(rows.map((row) => buffer.push(row))).toEqual([0, 0, 0, 1, 1]);
    expect(drain(buffer)).toEqual(rows.slice(2));
  });

  it('takes rows and bodies from the project with the most, never from another', () => {
    const buffer = new LogBuffer({ maxRows: 6, maxBytes: 12_000 });
    const mine = rowOf(light, 1_000);
    buffer.push(mine);
    for (let n = 0; n < 50; n++) buffer.push(rowOf(heavy, 2_000));
    const rows = drain(buffer);
    expect(rows).toHaveLength(6);
    expect(rows.find(({ projectId }) => projectId === light)).toBe(mine);
    expect(mine.requestBody?.bytes).toHaveLength(1_000);
  });

  it('keeps exact counts through any mix of rows', () => {
    const buffer = new LogBuffer({ maxRows: 20, maxBytes: 30_000 });
    for (let n = 0; n < 500; n++) {
      buffer.push(rowOf(n % 3 === 0 ? light : heavy, (n * 137) % 3_000));
      if (n % 7 === 0) buffer.take();
      expect(buffer.length).toBeLessThanOrEqual(20);
      expect(buffer.size).toBeLessThanOrEqual(30_000);
    }
    drain(buffer);
    expect([buffer.length, buffer.size]).toEqual([0, 0]);
  });
});

describe('an allowance per minute', () => {
  it('a key uses up to its allowance, and again in the next minute', () => {
    let now = 0;
    const allowance = new MinuteAllowance(1_000, () => now);
    expect(allowance.take('a', 900)).toBe(true);
    expect(allowance.take('a', 200)).toBe(false);
    expect(allowance.take('a', 100)).toBe(true);
    now = 59_999;
    expect(allowance.take('a', 1)).toBe(false);
    now = 60_000;
    expect(allowance.take('a', 1_000)).toBe(true);
  });

  it('a bounded number of keys is counted, however many there are', () => {
    const allowance = new MinuteAllowance(1, () => 0, 3);
    for (let key = 0; key < 100; key++) expect(allowance.take(`key ${key}`, 1)).toBe(true);
    expect(allowance.size).toBeLessThanOrEqual(3);
    expect(allowance.take('key 99', 1)).toBe(false);
  });
});
