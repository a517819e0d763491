import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { admitAll, ingestRow, STORED } from '@/tests/fixtures/ingest-rows';
import { IngestBatcher } from './ingest-batcher';
import type { IngestOutcome, IngestRow } from './ingest-sql';

setOnce('log', { warn() {} });

const row = ingestRow;
const stored = STORED;

describe('group commit', () => {
  it('stores events that arrive together in one statement', async () => {
    const sizes: number[] = [];
    const batcher = new IngestBatcher(async (rows) => {
      sizes.push(rows.length);
      return rows.map(() => stored);
    }, admitAll);
    await Promise.all(Array.from({ length: 40 }, () => batcher.add(row())));
    expect(sizes).toEqual([40]);
  });

  it('never puts more than 64 rows into a statement, nor has more than two statements in flight', async () => {
    let [inFlight, mostInFlight, mostRows] = [0, 0, 0];
    const batcher = new IngestBatcher(async (rows) => {
      inFlight++;
      mostInFlight = Math.max(mostInFlight, inFlight);
      mostRows = Math.max(mostRows, rows.length);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inFlight--;
      return rows.map(() => stored);
    }, admitAll);
    await Promise.all(Array.from({ length: 1000 }, () => batcher.add(row())));
    expect({ mostInFlight, mostRows }).toEqual({ mostInFlight: 2, mostRows: 64 });
  });

  it('gives each event its own outcome', async () => {
    const batcher = new IngestBatcher(
      async (rows) => rows.map(({ payload }) => ({ ...stored, keyId: payload })),
      admitAll,
    );
    const outcomes = await Promise.all(['1', '2', '3'].map((payload) => batcher.add(row(payload))));
    expect(outcomes.map(({ keyId }) => keyId)).toEqual(['1', '2', '3']);
  });

  it('rejects events as overloaded when the queue is full', async () => {
    const batcher = new IngestBatcher(() => new Promise(() => undefined), admitAll);
    const adding = Array.from({ length: 5_200 }, () => batcher.add(row()));
    await expect(adding.at(-1)).rejects.toMatchObject({ code: 'overloaded' });
    for (const added of adding) added.catch(() => undefined);
  });

  it('stores every row that arrives while others gather', async () => {
    const batcher = new IngestBatcher(async (rows) => rows.map(() => stored), admitAll);
    const adding: Promise<IngestOutcome>[] = [];
    for (let n = 0; n < 30; n++) {
      adding.push(batcher.add(row()));
      await sleep(n % 5);
    }
    expect(await Promise.all(adding)).toHaveLength(30);
  });
});

describe('the age of the oldest unstored event', () => {
  it('is 0 when nothing waits, and counts queued events and those in flight', async () => {
    const release: (() => void)[] = [];
    const batcher = new IngestBatcher(async (rows) => {
      await new Promise<void>((resolve) => release.push(resolve));
      return rows.map(() => stored);
    }, admitAll);
    const clock = vi.spyOn(performance, 'now');
    clock.mockReturnValue(1_000);
    expect(batcher.oldestWaitMs).toBe(0);
    const first = batcher.add(row());
    await vi.waitFor(() => expect(release).toHaveLength(1));
    clock.mockReturnValue(1_500);
    const second = batcher.add(row());
    await vi.waitFor(() => expect(release).toHaveLength(2));
    clock.mockReturnValue(1_600);
    const queued = Array.from({ length: 3 }, () => batcher.add(row()));
    expect(batcher.oldestWaitMs).toBe(600);
    release[0]?.();
    await first;
    await vi.waitFor(() => expect(batcher.oldestWaitMs).toBe(100));
    const free = setInterval(() => release.shift()?.(), 1);
    await Promise.all([second, ...queued]);
    clearInterval(free);
    expect(batcher.oldestWaitMs).toBe(0);
    clock.mockRestore();
  });
});

describe('a tenant during a flood of another', () => {
  const keyed = (name: string, payload = '{}') => ({ ...row(payload), keyHash: Buffer.from(name.padEnd(32)) });
  const projectOf = ({ keyHash }: IngestRow) => ({ ...stored, keyProjectId: keyHash.toString().trim() });

  it('has its event stored with the second batch at the latest, however many events of another key wait', async () => {
    const batches: string[][] = [];
    const batcher = new IngestBatcher(async (rows) => {
      batches.push(rows.map(({ payload }) => payload));
      await sleep(1);
      return rows.map(projectOf);
    }, admitAll);
    await Promise.all([batcher.add(keyed('flood', 'warm-up')), batcher.add(keyed('quiet', 'warm-up'))]);
    const flood = Array.from({ length: 2_000 }, () => batcher.add(keyed('flood', 'flood')));
    const before = batches.length;
    await batcher.add(keyed('quiet', 'quiet'));
    const position = batches.findIndex((payloads) => payloads.includes('quiet'));
    expect(position - before).toBeLessThanOrEqual(1);
    await Promise.all(flood);
  });

  it('gets room in a full queue: the newest rows of the flood are dropped', async () => {
    let [isStuck, stuck] = [false, 0];
    const batcher = new IngestBatcher(async (rows) => {
      if (!isStuck) return rows.map(projectOf);
      stuck++;
      return new Promise(() => undefined);
    }, admitAll);
    await Promise.all([batcher.add(keyed('flood')), batcher.add(keyed('quiet'))]);
    isStuck = true;
    const states = { flood: 0, quiet: 0 };
    const add = (name: 'flood' | 'quiet') =>
      batcher.add(keyed(name)).catch(({ code }) => {
        if (code === 'overloaded') states[name]++;
      });
    for (let n = 0; n < 200; n++) void add('flood');
    await vi.waitFor(() => expect(stuck).toBe(2));
    for (let n = 0; n < 6_000; n++) void add('flood');
    await sleep(0);
    const refusedBefore = states.flood;
    for (let n = 0; n < 100; n++) void add('quiet');
    await sleep(0);
    expect(refusedBefore).toBeGreaterThan(0);
    expect(states).toEqual({ flood: refusedBefore + 100, quiet: 0 });
  });

  it('is not delayed by the number of projects of another owner', async () => {
    const batches: string[][] = [];
    const store = async (rows: readonly IngestRow[]) => {
      batches.push(rows.map(({ payload }) => payload));
      await sleep(1);
      return rows.map(projectOf);
    };
    const batcher = new IngestBatcher(store, (projectId) => projectId?.replace(/\d+$/, '') ?? 'unknown');
    const names = [...Array.from({ length: 300 }, (_, n) => `flood${n}`), 'quiet'];
    await Promise.all(names.map((name) => batcher.add(keyed(name, 'warm-up'))));
    const flood = names.slice(0, -1).flatMap((name) => [1, 2, 3].map(() => batcher.add(keyed(name, 'flood'))));
    const before = batches.length;
    await batcher.add(keyed('quiet', 'quiet'));
    expect(batches.findIndex((payloads) => payloads.includes('quiet')) - before).toBeLessThanOrEqual(1);
    await Promise.all(flood);
  });
});
