import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { countForOwner, readHeavily, shareConnections } from './connection-shares';
import { forgetAll } from './globals';
import { noteActive } from './pace';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  forgetAll();
});

/** Reads a piece of a large body for an owner, and says whether it has been read at once. */
async function readPiece(owner: string, ms: number): Promise<boolean> {
  let isRead = false;
  const reading = shareConnections({ network: '192.0.2.1', isReading: true }, async () => {
    countForOwner(owner);
    await readHeavily(async () => {
      vi.advanceTimersByTime(ms);
      isRead = true;
    }, 'piece');
  });
  void reading.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  return isRead;
}

it('the pieces of large bodies that an owner reads beyond its pace wait while others are active, and those of others do not', async () => {
  noteActive('b');
  for (let count = 0; count < 12; count++) await readPiece('a', 20);
  expect(await readPiece('a', 20)).toBe(false);
  expect(await readPiece('b', 20)).toBe(true);
});

it('the pieces of an owner that is alone never wait', async () => {
  for (let count = 0; count < 100; count++) expect(await readPiece('a', 20)).toBe(true);
});
