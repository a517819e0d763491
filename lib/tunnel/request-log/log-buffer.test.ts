import { describe, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { makeEntry } from '@/tests/fixtures/tunnels';
import { type LogRow, rowBytes, toLogRow } from './log-row';
import { LogBuffer } from './log-writer';

const [heavy, light] = [newId(), newId()];

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

describe('the buffer of the log', () => {
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
