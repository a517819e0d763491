import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { StorageRoom, usableBytes } from './storage-room';

const GIB = 1024 ** 3;
let left: number | null;
let room: StorageRoom;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  setOnce('log', { error() {}, info() {}, warn() {} });
  left = 3_000;
  const read = async () => {
    if (left === -1) throw new Error('EACCES');
    return left;
  };
  room = new StorageRoom([{ name: 'disk', read, everyMs: 2_000, factor: 3 }]);
});
afterEach(() => {
  vi.useRealTimers();
});

const readAfter = async (ms: number) => {
  vi.advanceTimersByTime(ms);
  await room.readDue();
};

describe('storage is nearly full', () => {
  it('when nothing is left, and no longer once there is room again', async () => {
    left = 0;
    await room.readDue();
    expect(room.isNearlyFull).toBe(true);
    left = 1;
    await readAfter(1_000);
    expect(room.isNearlyFull).toBe(false);
  });

  it('as soon as what was let in since the last reading may have filled it', async () => {
    await room.readDue();
    room.take(999);
    expect(room.isNearlyFull).toBe(false);
    room.take(1);
    expect(room.isNearlyFull).toBe(true);
    await readAfter(1_000);
    expect(room.isNearlyFull).toBe(false);
  });

  it('for five seconds after PostgreSQL found its disk full', () => {
    room.noteDiskFull();
    expect(room.isNearlyFull).toBe(true);
    vi.advanceTimersByTime(5_001);
    expect(room.isNearlyFull).toBe(false);
  });

  it('to the end when three quarters of the reserve are used, so that the worker stops too', async () => {
    const disk = { name: 'disk', read: async () => left, everyMs: 2_000, factor: 3, reserve: () => 1_000 };
    room = new StorageRoom([disk]);
    const states: boolean[] = [];
    for (left of [1, -700, -750, -700]) {
      await readAfter(2_000);
      states.push(room.isExhausted);
    }
    expect(states).toEqual([false, false, true, false]);
    room.noteDiskFull();
    expect(room.isExhausted).toBe(true);
  });

  it('never without a limit, and as before while it cannot be read', async () => {
    left = null;
    await room.readDue();
    room.take(1e15);
    expect(room.isNearlyFull).toBe(false);
    left = 0;
    await readAfter(2_000);
    left = -1;
    await readAfter(2_000);
    expect(room.isNearlyFull).toBe(true);
  });
});

describe('of a file system', () => {
  const free = (bavail: number, blocks: number) => usableBytes({ bavail, blocks, bsize: 1 }, GIB);

  it('what must stay free is kept, at most a fifth of it', () => {
    expect(free(3 * GIB, 100 * GIB)).toBe(2 * GIB);
    expect(free(0.5 * GIB, GIB)).toBeCloseTo(0.3 * GIB);
    expect(free(0.1 * GIB, GIB)).toBeLessThan(0);
  });

  it('without a size nothing is known', () => {
    expect(free(0, 0)).toBeNull();
  });
});
