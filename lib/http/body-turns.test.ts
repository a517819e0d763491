import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { noteActive } from '@/lib/platform/pace';
import { BodyTurns } from './body-turns';

const MIB = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  setOnce('body-turns', undefined);
});

/** Begins to read a large body. */
function begin(ownerId: string | undefined, bytes = MIB) {
  const message = Object.assign(new PassThrough(), { headers: {} });
  const turns = new BodyTurns(message as unknown as IncomingMessage, { network: '192.0.2.1', ownerId });
  turns.arrived(bytes);
  return {
    isWaiting: () => message.isPaused(),
    arrive: (more: number) => turns.arrived(more),
    end: () => turns.end(),
  };
}
const settled = () => vi.advanceTimersByTimeAsync(0);

it('two large bodies of an owner are read at once, and others when one is complete; those of other owners do not wait', async () => {
  const first = begin('a');
  const second = begin('a');
  const third = begin('a');
  const other = begin('b');
  expect([first, second, third, other].map((body) => body.isWaiting())).toEqual([false, false, true, false]);
  first.end();
  await settled();
  expect(third.isWaiting()).toBe(false);
});

it('a body that arrives slowly lets the next one begin, and one that ended while it waited takes no turn', async () => {
  const [, , gone, last] = [begin('a'), begin('a'), begin('a'), begin('a')];
  gone.end();
  await vi.advanceTimersByTimeAsync(50);
  expect([gone, last].map((body) => body.isWaiting())).toEqual([true, false]);
});

it('a body that arrives fast keeps its turn until it is complete', async () => {
  const fast = [begin('a'), begin('a')];
  const third = begin('a');
  for (let time = 0; time < 5; time++) {
    for (const body of fast) body.arrive(64 * 1024);
    await vi.advanceTimersByTimeAsync(50);
    expect(third.isWaiting()).toBe(true);
  }
  await vi.advanceTimersByTimeAsync(50);
  expect(third.isWaiting()).toBe(false);
});

it('a body whose turn ended is read on for 64 KiB, and then takes another turn', async () => {
  const slow = begin('a');
  await vi.advanceTimersByTimeAsync(50);
  const fast = [begin('a'), begin('a')];
  slow.arrive(64 * 1024);
  expect(slow.isWaiting()).toBe(false);
  slow.arrive(1);
  expect(slow.isWaiting()).toBe(true);
  for (const body of fast) body.end();
  await settled();
  expect(slow.isWaiting()).toBe(false);
});

it('a body that breaks off while it waits counts what has arrived of it', async () => {
  noteActive('b');
  noteActive('a');
  const [, , broken] = [begin('a', 100_000), begin('a', 100_000), begin('a', 100_000)];
  broken.end();
  begin('a', 500_000).end();
  await vi.advanceTimersByTimeAsync(50);
  expect(begin('a').isWaiting()).toBe(false);
});

it('an owner has 1 MiB at once and 2 MiB a second while others are active: the place of a body beyond that rests', async () => {
  noteActive('b');
  noteActive('a');
  for (const bytes of [0.5 * MIB, 0.5 * MIB, MIB]) begin('a', bytes).end();
  const first = begin('a');
  const second = begin('a');
  expect([first, second].map((body) => body.isWaiting())).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(499);
  expect(second.isWaiting()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(second.isWaiting()).toBe(false);
});

it('the senders of a network whose owners are not known take turns, without a pace', async () => {
  noteActive('b');
  for (let count = 0; count < 20; count++) {
    const body = begin(undefined);
    expect(body.isWaiting()).toBe(false);
    body.end();
  }
});
