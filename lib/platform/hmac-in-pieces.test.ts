import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { hmacInPieces, withHmacsOfLarge } from './hmac-in-pieces';

const body = Buffer.alloc(1_000_001, 'abc');
const expected = createHmac('sha256', 'key').update('start.').update(body).digest();

it('computes the HMAC of the entire content', async () => {
  expect(await hmacInPieces('a', 'sha256', 'key', ['start.', body])).toEqual(expected);
});

it('lets other work run between the pieces', async () => {
  let turns = 0;
  const count = setInterval(() => undefined, 1_000_000);
  const other = (async () => {
    for (; turns < 1_000; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  })();
  await Promise.all([1, 2, 3].map((n) => hmacInPieces(`tenant ${n}`, 'sha256', 'key', [body])));
  clearInterval(count);
  // Twelve pieces, one at a time.
  expect(turns).toBeGreaterThanOrEqual(11);
  await other;
});

it('gives work the HMACs that it asks for, each computed once', async () => {
  let runs = 0;
  const found = await withHmacsOfLarge('a', (hmac) => {
    runs += 1;
    const wrong = hmac('sha256', 'another', 'start.', body);
    const right = hmac('sha256', 'key', 'start.', body);
    return [right.equals(expected), wrong.equals(expected)];
  });
  expect([found, runs]).toEqual([[true, false], 2]);
});
