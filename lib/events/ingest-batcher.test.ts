import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '@/lib/platform/errors';
import { setOnce } from '@/lib/platform/globals';
import type { StoreOptions } from '@/lib/platform/group-commit/store-batch';
import { storageRoom } from '@/lib/platform/storage-room';
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
    let inFlight = 0;
    let mostInFlight = 0;
    let mostRows = 0;
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

  it('counts the bytes of an event, not its characters', async () => {
    const sizes: number[] = [];
    const admit = (projectId: string | null, size: number) => {
      sizes.push(size);
      return admitAll(projectId);
    };
    const batcher = new IngestBatcher(async (rows) => rows.map(() => stored), admit);
    for (const payload of ['"abc"', '"€€€"']) await batcher.add(row(payload));
    expect(sizes).toEqual([5, 11]);
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
});

describe('faults of ingest', () => {
  setOnce('log', { error() {}, warn() {} });

  const row = (payload = 'good') => ingestRow(payload);
  const failure = (code: string) => Object.assign(new Error(code), { code });
  const LOST = failure('ECONNRESET');
  const DEADLOCK = failure('40P01');
  const LOCKED = Object.assign(failure('55P03'), { where: 'while locking tuple (0,1) in relation "projects"' });
  const STALLED = failure('55P03');

  interface Sent {
    payloads: string[];
    options: StoreOptions;
  }

  /** A batcher whose store throws the error of `fail` and records every statement. */
  function batcherOver(fail: (payloads: string[], nth: number) => Error | undefined) {
    const sent: Sent[] = [];
    const batcher = new IngestBatcher(async (rows, options) => {
      const payloads = rows.map(({ payload }) => payload);
      sent.push({ payloads, options });
      const error = fail(payloads, sent.length);
      if (error !== undefined) throw error;
      return rows.map(() => stored);
    }, admitAll);
    const addAll = (payloads: string[]) => Promise.allSettled(payloads.map((payload) => batcher.add(row(payload))));
    return { batcher, sent, addAll };
  }

  const codesOf = (results: PromiseSettledResult<unknown>[]) =>
    results.map((result) => (result.status === 'fulfilled' ? 'stored' : result.reason.code));
  const sixtyFour = (odd: string, at = 40) => Array.from({ length: 64 }, (_, n) => (n === at ? odd : 'good'));

  describe('a batch with one faulty row', () => {
    it.each(['22021', '23503'])('stores the 63 others with at most 13 statements (%s)', async (code) => {
      const { sent, addAll } = batcherOver((payloads) => (payloads.includes('bad') ? failure(code) : undefined));
      const codes = codesOf(await addAll(sixtyFour('bad')));
      expect(codes.filter((each) => each === 'stored')).toHaveLength(63);
      expect(codes[40]).toBe(code);
      expect(sent.length).toBeLessThanOrEqual(13);
    });

    it('stores the others when a row waits for a lock, and gives that row 503 with Retry-After', async () => {
      const { sent, addAll } = batcherOver((payloads) => (payloads.includes('locked') ? LOCKED : undefined));
      const results = await addAll(sixtyFour('locked'));
      expect(codesOf(results).filter((each) => each === 'stored')).toHaveLength(63);
      expect(results[40]).toMatchObject({ reason: { code: 'unavailable', options: { retryAfterSeconds: 2 } } });
      expect(Math.max(...sent.map(({ options }) => options.lockTimeoutMs))).toBeLessThanOrEqual(1_000);
    });

    it('occupies no slot while it is split', async () => {
      let isOpen = false;
      const batcher = new IngestBatcher(async (rows, { lockTimeoutMs }) => {
        if (!rows.some(({ payload }) => payload === 'locked')) return rows.map(() => stored);
        // A single row waits until the test has seen others pass.
        while (lockTimeoutMs >= 1_000 && !isOpen) await sleep(1);
        throw LOCKED;
      }, admitAll);
      const locked = [batcher.add(row('locked')), batcher.add(row('locked'))].map((added) =>
        added.catch(() => 'refused'),
      );
      await sleep(5);
      for (let n = 0; n < 5; n++) await batcher.add(row());
      expect(batcher.oldestWaitMs).toBeGreaterThan(0);
      isOpen = true;
      expect(await Promise.all(locked)).toEqual(['refused', 'refused']);
      expect(batcher.oldestWaitMs).toBe(0);
    });

    it('ends after a bounded number of statements when every row is faulty', async () => {
      const { sent, addAll } = batcherOver(() => failure('23514'));
      expect(new Set(codesOf(await addAll(sixtyFour('bad'))))).toEqual(new Set(['23514']));
      expect(sent.length).toBeLessThanOrEqual(127);
    });
  });

  describe('a batch without a faulty row', () => {
    it('is repeated after a deadlock', async () => {
      const { sent, addAll } = batcherOver((_, nth) => (nth <= 2 ? DEADLOCK : undefined));
      expect(new Set(codesOf(await addAll(sixtyFour('good'))))).toEqual(new Set(['stored']));
      expect(sent.map(({ payloads }) => payloads.length)).toEqual([64, 64, 64]);
    });

    it('is repeated while the commit of another one waits for the disk', async () => {
      const { sent, addAll } = batcherOver((_, nth) => (nth <= 10 ? STALLED : undefined));
      expect(new Set(codesOf(await addAll(sixtyFour('good'))))).toEqual(new Set(['stored']));
      expect(sent.map(({ payloads }) => payloads.length)).toEqual(Array(11).fill(64));
    });

    it('gets 503 when that commit takes longer than some seconds', async () => {
      const clock = vi.spyOn(performance, 'now');
      const { addAll } = batcherOver((_, nth) => {
        clock.mockReturnValue(nth * 1_000);
        return STALLED;
      });
      clock.mockReturnValue(0);
      expect(codesOf(await addAll(['a']))).toEqual(['unavailable']);
      clock.mockRestore();
    });

    it('gets 503 after a few deadlocks', async () => {
      const { sent, addAll } = batcherOver(() => DEADLOCK);
      expect(codesOf(await addAll(['a', 'b']))).toEqual(['unavailable', 'unavailable']);
      expect(sent).toHaveLength(4);
    });

    it('is repeated once after a lost connection, marked as rows that may be stored', async () => {
      const { sent, addAll } = batcherOver((_, nth) => (nth === 1 ? LOST : undefined));
      expect(codesOf(await addAll(['a', 'b']))).toEqual(['stored', 'stored']);
      expect(sent.map(({ options }) => options.mayBeStored)).toEqual([false, true]);
    });

    it('keeps that mark when it is split', async () => {
      const { sent, addAll } = batcherOver((payloads, nth) => {
        if (nth === 1) return LOST;
        return payloads.includes('bad') ? failure('23503') : undefined;
      });
      expect(codesOf(await addAll(['good', 'bad']))).toEqual(['stored', '23503']);
      expect(sent.slice(1).every(({ options }) => options.mayBeStored)).toBe(true);
    });

    it('gets 503 when the connection is lost twice, and is not split', async () => {
      const { sent, addAll } = batcherOver(() => LOST);
      expect(new Set(codesOf(await addAll(sixtyFour('good'))))).toEqual(new Set(['unavailable']));
      expect(sent).toHaveLength(2);
    });

    it('gets 503 at once, with all queued rows, when there is no connection', async () => {
      const none = new AppError('unavailable', 'x', { retryAfterSeconds: 2 });
      const { sent, addAll } = batcherOver(() => none);
      const results = await addAll(Array.from({ length: 1_000 }, () => 'good'));
      expect(new Set(codesOf(results))).toEqual(new Set(['unavailable']));
      expect(sent.length).toBeLessThanOrEqual(2);
    });

    it('fails with any other error after one statement', async () => {
      const { sent, addAll } = batcherOver(() => failure('42P01'));
      expect(codesOf(await addAll(['a', 'b']))).toEqual(['42P01', '42P01']);
      expect(sent).toHaveLength(1);
    });
  });

  it('a full disk of PostgreSQL stops intake for a while, and the sender gets 503', async () => {
    setOnce('storage-room', undefined);
    const { addAll } = batcherOver(() => failure('53100'));
    expect(codesOf(await addAll(['one']))).toEqual(['unavailable']);
    expect(storageRoom().isNearlyFull).toBe(true);
    setOnce('storage-room', undefined);
  });
});
