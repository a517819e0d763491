import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setCellNodes } from './cells/cell-nodes';
import { inCell } from './cells/current-cell';
import {
  countAsReader,
  countForOwner,
  measureEmptyStatement,
  readHeavily,
  shareConnections,
  takeConnectionPermit,
} from './connection-shares';
import { forgetAll, setOnce } from './globals';
import { noteActive } from './pace';
import { payForThread } from './thread-turns';

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

it.each([
  ['previews', 'preview'],
  ['catalogues', 'catalogue'],
] as const)(
  'the %s of an owner that have taken seconds wait while others are active, and those of others do not',
  async (_, kind) => {
    const preview = async (owner: string) => {
      let isRead = false;
      const reading = shareConnections({ network: '192.0.2.1', isReading: true }, async () => {
        countForOwner(owner);
        await readHeavily(async () => {
          vi.advanceTimersByTime(1_000);
          isRead = true;
        }, kind);
      });
      void reading.catch(() => undefined);
      await vi.advanceTimersByTimeAsync(0);
      return isRead;
    };
    for (let count = 0; count < 3; count++) {
      noteActive('b');
      expect(await preview('a')).toBe(true);
    }
    noteActive('b');
    expect(await preview('a')).toBe(false);
    expect(await preview('b')).toBe(true);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await preview('a')).toBe(true);
  },
);

describe('an owner', () => {
  /** Previews for an owner. @returns how long it has waited for a reading at most, by the end; Infinity if it was refused */
  async function preview(owner: string, readings: number, ms = 12): Promise<number> {
    let longestMs = 0;
    const reads = async () => {
      countForOwner(owner);
      for (let count = 0; count < readings; count++) {
        const askedAt = performance.now();
        await readHeavily(async () => {
          longestMs = Math.max(longestMs, performance.now() - askedAt);
          await new Promise((resolve) => setTimeout(resolve, ms));
        }, 'preview');
      }
      return longestMs;
    };
    return shareConnections({ network: '192.0.2.1', isReading: true }, reads).catch(() => Number.POSITIVE_INFINITY);
  }
  const previewAllTheTime = () => Promise.all(Array.from({ length: 20 }, (_, index) => preview(`busy ${index}`, 50)));

  it('that previews now and then waits for two readings of others at most, however many preview all the time', async () => {
    const busy = previewAllTheTime();
    await vi.advanceTimersByTimeAsync(3_000);
    const waits: Promise<number>[] = [];
    for (let second = 0; second < 3; second++) {
      waits.push(preview('other', 3));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await vi.advanceTimersByTimeAsync(10_000);
    expect(Math.max(...(await Promise.all(waits)))).toBeLessThanOrEqual(24);
    // Those that preview all the time take turns.
    expect(Math.max(...(await busy))).toBeLessThan(500);
  });

  it('that previews a little each second waits for two readings of others at most, however many take long in turns', async () => {
    let isEnded = false;
    const busy = Array.from({ length: 30 }, async (_, index) => {
      while (!isEnded) await preview(`busy ${index}`, 1, 300);
    });
    // Until each has been served once.
    await vi.advanceTimersByTimeAsync(30_000);
    const waits: Promise<number>[] = [];
    for (let second = 0; second < 30; second++) {
      waits.push(preview('other', 1, 2));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(Math.max(...(await Promise.all(waits)))).toBeLessThanOrEqual(600);
    isEnded = true;
    await vi.advanceTimersByTimeAsync(20_000);
    await Promise.all(busy);
  });

  it('with one long reading is not refused the next one while many preview all the time', async () => {
    const slow = preview('slow', 2, 1_000);
    const busy = previewAllTheTime();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(Math.max(await slow, ...(await busy))).toBeLessThan(3_000);
  });
});

describe('statements of an owner', () => {
  /** Uses a connection, and says whether it was granted at once. */
  async function use(owner: string, isReading: boolean, ms: number): Promise<boolean> {
    let isGranted = false;
    const using = shareConnections({ network: '192.0.2.1', isReading }, async () => {
      countForOwner(owner);
      const permit = await takeConnectionPermit();
      isGranted = true;
      await new Promise((resolve) => setTimeout(resolve, ms));
      permit?.release();
    });
    void using.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    return isGranted;
  }

  /** Uses connections for half a minute, with three requests that begin at once in each second. */
  async function useThree(owner: string, isReading: boolean, other?: string): Promise<number> {
    let granted = 0;
    for (let second = 0; second < 30; second++) {
      for (let request = 0; request < 3; request++) granted += (await use(owner, isReading, 250)) ? 1 : 0;
      for (let step = 0; step < 2; step++) {
        if (other !== undefined) noteActive(other);
        await vi.advanceTimersByTimeAsync(500);
      }
    }
    return granted;
  }

  it.each([
    ['read', true, 2],
    ['write', false, 3],
  ])('that %s for long wait beyond its pace while others are active', async (_, isReading, places) => {
    noteActive('b');
    expect(await useThree('a', isReading, 'b')).toBeLessThan(20 * places);
    expect(await use('b', isReading, 0)).toBe(true);
    expect(await useThree('c', isReading)).toBe(30 * places);
  });

  it.each([
    ['wait beyond its pace, when it makes them slow', 0, false],
    ['never wait because all statements are slow', 19, true],
  ])('that read 30 times a second for 20 ms %s', async (_, ofEmptyMs, isAlwaysGranted) => {
    let granted = 0;
    for (let count = 0; count < 600; count++) {
      noteActive('b');
      await measureEmptyStatement(async () => ofEmptyMs);
      granted += (await use('a', true, 20)) ? 1 : 0;
      await vi.advanceTimersByTimeAsync(33);
    }
    expect(granted === 600).toBe(isAlwaysGranted);
  });

  it('that write shortly, 15 times a second, never wait', async () => {
    for (let count = 0; count < 300; count++) {
      noteActive('b');
      expect(await use('a', false, 50)).toBe(true);
      await vi.advanceTimersByTimeAsync(67);
    }
  });
});

it('an owner rests before it has a place that all owners share, and not while it holds it', async () => {
  const read = (hold: (work: () => Promise<void>) => Promise<void>) => {
    const state = { begin: () => {}, isRead: false };
    const begun = new Promise<void>((resolve) => {
      state.begin = resolve;
    });
    const reading = shareConnections({ network: '192.0.2.1', isReading: true, ownerId: 'a' }, () =>
      hold(async () => {
        await begun;
        (await takeConnectionPermit())?.release();
        state.isRead = true;
      }),
    );
    void reading.catch(() => undefined);
    return state;
  };
  const readings = [
    read((work) => work()),
    read((work) => readHeavily(work, 'body')),
    read((work) => readHeavily(work, 'catalogue')),
  ];
  for (let count = 0; count < 40; count++) {
    noteActive('b');
    noteActive('a');
    void shareConnections({ network: '192.0.2.1', isReading: true, ownerId: 'a' }, async () => {
      const permit = await takeConnectionPermit();
      await new Promise((resolve) => setTimeout(resolve, 250));
      permit?.release();
    }).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(125);
  }
  for (const { begin } of readings) begin();
  await vi.advanceTimersByTimeAsync(0);
  expect(readings.map(({ isRead }) => isRead)).toEqual([false, true, true]);
  const next = read((work) => readHeavily(work, 'catalogue'));
  next.begin();
  await vi.advanceTimersByTimeAsync(0);
  expect(next.isRead).toBe(false);
});

it('an owner whose job used the thread while it held a place rests before its next one, and others do not', async () => {
  const page = async (owner: string) => {
    for (const active of ['b', 'a']) noteActive(active);
    let isRead = false;
    const reading = shareConnections({ network: '192.0.2.1', isReading: true, ownerId: owner }, () =>
      readHeavily(async () => {
        payForThread(owner, 30);
        isRead = true;
      }, 'page'),
    );
    void reading.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    return isRead;
  };
  expect([await page('a'), await page('a'), await page('b')]).toEqual([true, false, true]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await page('a')).toBe(true);
});

it('what only reads is a reader, whatever its method', async () => {
  const isReading = (work: () => void) =>
    shareConnections({ network: '192.0.2.1', isReading: false, ownerId: 'a' }, async () => {
      work();
      const permit = await takeConnectionPermit();
      permit?.release();
      return permit?.isReading;
    });
  expect(await isReading(() => undefined)).toBe(false);
  expect(await isReading(countAsReader)).toBe(true);
  expect(
    await isReading(() => {
      countAsReader();
      countForOwner('b');
    }),
  ).toBe(true);
});

it('a statement gets its place from answers that arrived while the thread did not run; it is refused when none did', async () => {
  vi.useRealTimers();
  const take = () =>
    shareConnections({ network: '192.0.2.1', isReading: true, ownerId: 'a' }, () => takeConnectionPermit());
  const stop = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  const [first] = [await take(), await take()];
  const waiting = take();
  // Its answer arrives while the thread is stopped for longer than statements wait.
  const answered = stat('package.json').then(() => first?.release());
  stop(3_100);
  await answered;
  (await waiting)?.release();
  const refused = take().then(() => take());
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited' });
});

describe('large answers', () => {
  /** Holds a place until it is given back. */
  function hold(owner: string) {
    const state = { hasPlace: false, giveBack: () => {} };
    const held = new Promise<void>((resolve) => {
      state.giveBack = resolve;
    });
    const work = () => {
      state.hasPlace = true;
      return held;
    };
    const request = { network: '192.0.2.1', isReading: true, ownerId: owner };
    void shareConnections(request, () => readHeavily(work, 'body')).catch(() => undefined);
    return state;
  }

  it('of ten owners that rest keep none of another owner waiting', async () => {
    for (let nth = 0; nth < 10; nth += 1) hold(`owner-${nth}`);
    const other = hold('other');
    await vi.advanceTimersByTimeAsync(0);
    expect(other.hasPlace).toBe(true);
  });

  it('take a free place in the order of who has used fewest lately', async () => {
    const owners = Array.from({ length: 20 }, (_, nth) => `owner-${nth}`);
    noteActive('b');
    noteActive('a');
    const first = owners.map(hold);
    await vi.advanceTimersByTimeAsync(100);
    for (const { giveBack } of first) giveBack();
    await vi.advanceTimersByTimeAsync(1);
    const again = owners.map(hold);
    await vi.advanceTimersByTimeAsync(1);
    const third = owners.map(hold);
    const newcomer = hold('newcomer');
    await vi.advanceTimersByTimeAsync(100);
    again[7]?.giveBack();
    await vi.advanceTimersByTimeAsync(1);
    expect([newcomer.hasPlace, third.some(({ hasPlace }) => hasPlace)]).toEqual([true, false]);
  });
});

it('owners whose machine does not answer hold no place of those with cells on others', async () => {
  setOnce('config', { DATABASE_URL: 'postgresql://app@localhost/app' });
  setCellNodes(
    [
      { cell: 'cell_01', host: 'db1', port: 5432 },
      { cell: 'cell_02', host: 'db1', port: 5432 },
      { cell: 'cell_03', host: 'db2', port: 5432 },
    ],
    true,
  );
  const isServed = async (cell: string, owner: string) => {
    const taken = vi.fn();
    const request = { network: '192.0.2.1', isReading: true, ownerId: owner };
    void shareConnections(request, () => inCell(cell, takeConnectionPermit)).then(taken, () => undefined);
    await vi.advanceTimersByTimeAsync(0);
    return taken.mock.calls.length === 1;
  };
  for (const owner of ['a', 'a', 'b', 'b']) expect(await isServed('cell_01', owner)).toBe(true);
  expect(await isServed('cell_02', 'c')).toBe(false);
  expect([await isServed('cell_00', 'c'), await isServed('cell_03', 'c')]).toEqual([true, true]);
});
