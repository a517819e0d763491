import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pumpBody } from './flow';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Pumps five chunks of a kilobyte, of which each makes the source rest for 100 ms. */
async function pump(target = new PassThrough({ highWaterMark: 1024 * 1024 })) {
  const source = Readable.from(Array.from({ length: 5 }, () => Buffer.alloc(1024)));
  let chunks = 0;
  const onChunk = () => {
    chunks += 1;
    return 100;
  };
  pumpBody(source, target, { onChunk, onBroken: () => undefined });
  await turn();
  return { source, target, chunks: () => chunks };
}
const pass = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  await turn();
};

it('reads the next chunk after the rest of the last one, and ends', async () => {
  const { target, chunks } = await pump();
  expect(chunks()).toBe(1);
  await pass(99);
  expect(chunks()).toBe(1);
  await pass(1);
  expect(chunks()).toBe(2);
  for (let count = 0; count < 5; count++) await pass(100);
  expect([chunks(), target.writableFinished]).toEqual([5, true]);
});

it('does not read during a rest although the target has room again', async () => {
  const { target, chunks } = await pump(new PassThrough({ highWaterMark: 16 }));
  target.resume();
  await turn();
  expect(chunks()).toBe(1);
});

it('does not read after a rest while the target is full', async () => {
  const { target, chunks } = await pump(new PassThrough({ highWaterMark: 16 }));
  await pass(200);
  expect(chunks()).toBe(1);
  target.resume();
  await turn();
  expect(chunks()).toBe(2);
});

it('never reads a source whose target is gone', async () => {
  const { source, target, chunks } = await pump();
  target.destroy();
  await turn();
  await pass(200);
  expect([chunks(), source.isPaused()]).toEqual([1, true]);
});
