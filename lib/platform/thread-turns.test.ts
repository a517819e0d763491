import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ClientInfo } from './client-info';
import { AppError } from './errors';
import { setOnce } from './globals';
import { noteActive } from './pace';
import { holdPlace, mayHoldPlace } from './place-holder';
import { countThread, inThreadTurn, inThreadTurnNow, waitForThread } from './thread-turns';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  setOnce('thread-turns', undefined);
  setOnce('loop-pass', undefined);
});

const never = () => new AbortController().signal;
/** Milliseconds that work kept the thread, beside what the timers waited. */
let busyMs = 0;
beforeEach(() => {
  busyMs = 0;
  const wait = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => wait() + busyMs);
});
const busy = (ms: number) => () => {
  busyMs += ms;
};

/** Parses for an owner. @returns whether it is done */
function parse(ownerId: string | undefined, ms: number, signals: { needed?: AbortSignal; gone?: AbortSignal } = {}) {
  const { needed = never(), gone } = signals;
  const client: ClientInfo = {
    ipAddress: null,
    userAgent: null,
    ...(ownerId === undefined ? {} : { ownerId }),
    ...(gone === undefined ? {} : { disconnectSignal: () => gone }),
  };
  const state: { isDone: boolean; error?: unknown } = { isDone: false };
  inThreadTurn(client, () => needed, busy(ms)).then(
    () => {
      state.isDone = true;
    },
    (error: unknown) => {
      state.error = error;
    },
  );
  return state;
}
const settled = () => vi.advanceTimersByTimeAsync(1);
function beTwo() {
  noteActive('b');
  noteActive('a');
}
/** An owner uses twice what it has at once. */
async function useBurst() {
  for (let part = 0; part < 2; part++) {
    beTwo();
    parse('a', 100);
    await settled();
  }
  beTwo();
}

it('an owner has 50 ms of the thread at once and 50 a second beside others, who do not wait for it', async () => {
  await useBurst();
  const next = parse('a', 1);
  const other = parse('b', 1);
  await settled();
  expect([next.isDone, other.isDone]).toEqual([false, true]);
  // It owes 100 ms at most.
  await vi.advanceTimersByTimeAsync(1_990);
  expect(next.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(20);
  expect(next.isDone).toBe(true);
});

it('an owner rests for all that a job of 35 ms costs with its garbage', async () => {
  beTwo();
  parse('a', 35);
  await settled();
  beTwo();
  const next = parse('a', 1);
  await vi.advanceTimersByTimeAsync(1_750);
  expect(next.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(next.isDone).toBe(true);
});

it('work that is done at once delays the next turn of its owner', async () => {
  beTwo();
  countThread('a', busy(200));
  beTwo();
  parse('a', 1);
  const next = parse('a', 1);
  await vi.advanceTimersByTimeAsync(1_990);
  expect(next.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(20);
  expect(next.isDone).toBe(true);
});

it('a job takes its turns without a rest while it holds a place, and its owner rests afterwards', async () => {
  await useBurst();
  const other = parse('b', 1);
  await mayHoldPlace(async () => {
    const before = parse('a', 1);
    await settled();
    expect([other.isDone, before.isDone]).toEqual([true, false]);
    const end = holdPlace();
    const turns = [parse('a', 10), parse('a', 10)];
    await vi.advanceTimersByTimeAsync(2);
    expect(turns.map(({ isDone }) => isDone)).toEqual([true, true]);
    // With garbage.
    expect(end()).toBe(80);
    expect(before.isDone).toBe(false);
    beTwo();
    const after = parse('a', 1);
    await vi.advanceTimersByTimeAsync(1_900);
    expect(after.isDone).toBe(false);
  });
});

it('jobs that hold a place have turns of their own between those of others, whatever their owners have used', async () => {
  const order: string[] = [];
  const queue = (ownerId: string) =>
    void inThreadTurn({ ipAddress: null, userAgent: null, ownerId }, never, () => void order.push(ownerId));
  await useBurst();
  countThread('c', busy(1));
  queue('d');
  countThread('d', busy(100));
  parse('x', 2);
  mayHoldPlace(() => {
    holdPlace();
    queue('a');
    queue('a');
  });
  queue('d');
  queue('c');
  await vi.advanceTimersByTimeAsync(5);
  expect(order).toEqual(['d', 'a', 'c', 'a']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(order).toEqual(['d', 'a', 'c', 'a', 'd']);
});

it('work that may be left undone is done while its owner need not rest, also while others have a turn', async () => {
  const isDone = () =>
    inThreadTurnNow('a', () => {
      busy(1)();
      return true;
    });
  beTwo();
  parse('b', 10);
  expect(isDone()).toBe(true);
  countThread('a', busy(200));
  beTwo();
  expect(isDone()).toBeNull();
  await vi.advanceTimersByTimeAsync(2_500);
  beTwo();
  expect(isDone()).toBe(true);
});

it('an owner who is alone waits for nothing, and work without a known owner is not counted', async () => {
  vi.advanceTimersByTime(2_000);
  noteActive('a');
  const all = [parse('a', 5_000), parse('a', 5_000), parse(undefined, 5_000), parse(undefined, 1)];
  await settled();
  expect(all.map(({ isDone }) => isDone)).toEqual([true, true, true, true]);
});

it('lets the thread serve others after each long work, even of an owner who is alone', async () => {
  noteActive('a');
  vi.advanceTimersByTime(2_000);
  const first = parse('a', 2);
  const second = parse('a', 1);
  const short = parse('a', 1);
  const last = parse('a', 1);
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  expect([first.isDone, second.isDone]).toEqual([true, false]);
  await settled();
  expect([second, short, last].map(({ isDone }) => isDone)).toEqual([true, true, true]);
});

it('2,000 bodies of an owner wait, and the next one gets 429', async () => {
  await useBurst();
  for (let index = 0; index < 2_000; index++) parse('a', 0);
  const refused = parse('a', 0);
  await settled();
  expect(refused.error).toMatchObject({ code: 'rate_limited' });
});

it('a body gives its place up when its memory is needed or its client disconnects', async () => {
  await useBurst();
  const memory = new AbortController();
  const connection = new AbortController();
  const needed = parse('a', 1, { needed: memory.signal });
  const gone = parse('a', 1, { gone: connection.signal });
  const last = parse('a', 1);
  memory.abort(new AppError('overloaded', 'Too many bodies.'));
  connection.abort();
  await settled();
  expect([needed.error, gone.error]).toMatchObject([{ code: 'overloaded' }, { code: 'invalid_request' }]);
  await vi.advanceTimersByTimeAsync(2_001);
  expect([last.isDone, needed.isDone, gone.isDone]).toEqual([true, false, false]);
});

it('work that follows a turn counts before the next turn of its owner', async () => {
  beTwo();
  const client: ClientInfo = { ipAddress: null, userAgent: null, ownerId: 'a' };
  const done: number[] = [];
  const work = async (index: number) => {
    await waitForThread(client, never);
    countThread('a', busy(60));
    done.push(index);
  };
  for (const index of [1, 2, 3]) void work(index);
  await settled();
  expect(done).toEqual([1]);
  beTwo();
  await vi.advanceTimersByTimeAsync(4_100);
  expect(done.length).toBeGreaterThan(1);
});

it('twenty owners share 300 ms of a second equally, and one who uses little hardly waits', async () => {
  const owners = Array.from({ length: 20 }, (_, index) => `heavy ${index}`);
  const spent = new Map<string, number>(owners.map((owner) => [owner, 0]));
  let isStopped = false;
  for (const ownerId of owners) {
    const client: ClientInfo = { ipAddress: null, userAgent: null, ownerId };
    void (async () => {
      while (!isStopped) {
        await inThreadTurn(client, never, busy(1.5));
        spent.set(ownerId, (spent.get(ownerId) ?? 0) + 1.5);
      }
    })();
  }
  const waitsMs: number[] = [];
  const pass = async (endsAt: number) => {
    while (performance.now() < endsAt) {
      for (const owner of [...owners, 'light']) noteActive(owner);
      const askedAt = performance.now();
      const light: ClientInfo = { ipAddress: null, userAgent: null, ownerId: 'light' };
      void inThreadTurn(light, never, busy(0.1)).then(() => waitsMs.push(performance.now() - askedAt));
      await vi.advanceTimersByTimeAsync(20);
    }
  };
  await pass(performance.now() + 4_000);
  const atFirst = new Map(spent);
  const startedAt = performance.now();
  await pass(startedAt + 10_000);
  const seconds = (performance.now() - startedAt) / 1_000;
  isStopped = true;
  const parts = owners.map((owner) => ((spent.get(owner) ?? 0) - (atFirst.get(owner) ?? 0)) / seconds);
  const sum = parts.reduce((total, part) => total + part, 0);
  expect(sum).toBeGreaterThan(240);
  expect(sum).toBeLessThan(330);
  expect(Math.max(...parts) - Math.min(...parts)).toBeLessThan(5);
  waitsMs.sort((one, other) => one - other);
  expect(waitsMs[Math.floor(waitsMs.length * 0.95)]).toBeLessThan(25);
});
