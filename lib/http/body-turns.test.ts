import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteActive } from '@/lib/platform/active-owners';
import { setOnce } from '@/lib/platform/globals';
import { readInTurn } from './body-turns';

const MIB = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  setOnce('body-turns', undefined);
});

/** Begins to read a large body. */
function begin(ownerId: string | undefined, bytes: number | (() => number) = MIB) {
  const message = Object.assign(new PassThrough(), { headers: {} });
  const sizeOf = typeof bytes === 'number' ? () => bytes : bytes;
  const large = readInTurn(message as unknown as IncomingMessage, { network: '192.0.2.1', ownerId }, sizeOf);
  return { isWaiting: () => message.isPaused(), end: () => large.end() };
}
const settled = () => vi.advanceTimersByTimeAsync(0);

it('two large bodies of an owner are read at once, and others when one is complete; those of other owners do not wait', async () => {
  const [first, second, third] = [begin('a'), begin('a'), begin('a')];
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
  const sizes = { first: 0, second: 0 };
  begin('a', () => sizes.first);
  begin('a', () => sizes.second);
  const third = begin('a');
  for (let time = 0; time < 5; time++) {
    for (const key of ['first', 'second'] as const) sizes[key] += 64 * 1024;
    await vi.advanceTimersByTimeAsync(50);
    expect(third.isWaiting()).toBe(true);
  }
  await vi.advanceTimersByTimeAsync(50);
  expect(third.isWaiting()).toBe(false);
});

it('an owner has 1 MiB at once and 2 MiB a second while others are active: the place of a body beyond that rests', async () => {
  noteActive('b');
  noteActive('a');
  for (const bytes of [0.5 * MIB, 0.5 * MIB, MIB]) begin('a', bytes).end();
  const [first, second] = [begin('a'), begin('a')];
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
