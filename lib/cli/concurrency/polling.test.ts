import { expect, it } from 'vitest';
import { pollUntil } from './polling';

const never = new AbortController().signal;

it('returns the first final response', async () => {
  let count = 0;
  const ask = async () => ++count;
  expect(await pollUntil(ask, (n) => n === 3, { timeoutMs: 60_000, signal: never })).toBe(3);
  expect(await pollUntil(ask, () => true, { timeoutMs: 60_000, signal: never })).toBe(4);
});

it('returns the last response when the time is up, also while a request hangs', async () => {
  const hang = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  let count = 0;
  const ask = (signal: AbortSignal) => (++count === 1 ? Promise.resolve(1) : hang(signal));
  expect(await pollUntil(ask, () => false, { timeoutMs: 200, signal: never })).toBe(1);
  expect(count).toBe(2);
});

it('throws when it is interrupted, or a request fails', async () => {
  const controller = new AbortController();
  const polling = pollUntil(
    async () => controller.abort(new Error('interrupted')),
    () => false,
    { timeoutMs: 60_000, signal: controller.signal },
  );
  await expect(polling).rejects.toThrow();
  const fails = async () => {
    throw new Error('fails');
  };
  await expect(pollUntil(fails, () => false, { timeoutMs: 60_000, signal: never })).rejects.toThrow('fails');
});
