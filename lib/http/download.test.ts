import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '@/lib/platform/errors';
import { forgetAll } from '@/lib/platform/globals';
import type { WhileAllowed } from '@/lib/platform/open-connections';
import { noteActive, Pace } from '@/lib/platform/pace';
import { setTestConfig } from '@/tests/setup/variables';
import type { ContentCoding } from './accept-encoding';
import type { OpenStream } from './api-response';
import { type Download, type DownloadLimits, download } from './download';

beforeEach(() => {
  setTestConfig();
});

const ROOMY: DownloadLimits = { stallMs: 60_000, totalMs: 60_000, leastBytesPerSecond: 0, periodMs: 60_000 };

/** How the caller of the last download loses access, and how many are not watched any more. */
const access = { end: (_reason: AppError) => {}, released: 0 };
const whileAllowed: WhileAllowed = (end) => {
  access.end = end;
  return { isInDoubt: false, checked: async () => {}, release: () => void access.released++ };
};

const HOLDER = { id: 'ada', organizationId: 'engines', ownerId: 'ada' };

function begin(chunks: AsyncIterator<string>, limits = ROOMY, coding: ContentCoding = 'identity') {
  const close = vi.fn(async () => undefined);
  const slot: NonNullable<Download['slot']> = { waitingSince: null, breakOff: null, holder: HOLDER };
  const response = download(
    { contentType: 'text/plain', fileName: 'a.txt', chunks, close, slot, whileAllowed },
    limits,
  );
  const open = response.raw?.content as OpenStream;
  return { response, close, slot, reader: open(coding).getReader() };
}

async function* count(upTo: number, onMade: (n: number) => void = () => undefined) {
  for (let n = 1; n <= upTo; n++) {
    onMade(n);
    yield `${n} `;
  }
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>, onRead = () => {}): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(pieces);
    pieces.push(value);
    onRead();
  }
}

/** Returns how many chunks are produced before the first read, and after each of three. */
async function countProduced(coding: ContentCoding): Promise<number[]> {
  let made = 0;
  const chunks = count(100, (n) => {
    made = n;
  });
  const { reader } = begin(chunks, ROOMY, coding);
  await sleep(20);
  const produced = [made];
  for (let n = 1; n <= 3; n++) {
    await reader.read();
    await sleep(5);
    produced.push(made);
  }
  return produced;
}

/** Random text hardly compresses, so its size on the wire is known. */
const noise = (bytes: number) => randomBytes(bytes).toString('base64').slice(0, bytes);

describe.each(['identity', 'gzip'] as const)('a download in %s', (coding) => {
  it('is sent completely, under its name, and closed once', async () => {
    const { response, close, reader } = begin(count(5), ROOMY, coding);
    expect(response.headers).toEqual({ 'Content-Disposition': 'attachment; filename="a.txt"' });
    const sent = await readAll(reader);
    expect((coding === 'gzip' ? gunzipSync(sent) : sent).toString()).toBe('1 2 3 4 5 ');
    expect(close).toHaveBeenCalledOnce();
  });

  it('is produced only as fast as it is read', async () => {
    const produced = await countProduced(coding);
    if (coding === 'identity') expect(produced).toEqual([0, 1, 2, 3]);
    for (const [reads, count] of produced.entries()) expect(count).toBeLessThanOrEqual(reads);
  });

  it('breaks the connection and is closed once when it fails on the way, and never looks complete', async () => {
    async function* failing() {
      yield noise(2_000);
      throw new Error('a fault');
    }
    const { close, reader } = begin(failing(), ROOMY, coding);
    await expect(readAll(reader)).rejects.toThrow('a fault');
    expect(close).toHaveBeenCalledOnce();
  });

  it('is closed when its reader disconnects, and ends what produces it', async () => {
    let isEnded = false;
    async function* endless() {
      try {
        for (;;) yield noise(2_000);
      } finally {
        isEnded = true;
      }
    }
    const { close, reader } = begin(endless(), ROOMY, coding);
    await reader.read();
    await reader.cancel();
    expect(close).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(isEnded).toBe(true));
  });

  it('is aborted after the stall limit when nothing more is read, and its resources are released', async () => {
    const { close, reader } = begin(count(100), { ...ROOMY, stallMs: 40 }, coding);
    await reader.read();
    await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
    await expect(reader.read()).rejects.toThrow('reads nothing');
  });
});

describe('a download', () => {
  it('breaks the connection and is closed once when its caller loses access, and stops watching the caller', async () => {
    const { close, reader } = begin(count(5));
    await reader.read();
    const before = access.released;
    access.end(new AppError('api_key_revoked', 'Revoked.'));
    await expect(reader.read()).rejects.toThrow('Revoked.');
    expect([close.mock.calls.length, access.released - before]).toEqual([1, 1]);
  });

  it('is closed when its reader disconnects while a chunk is being produced', async () => {
    let goOn = () => {};
    async function* slow() {
      yield 'first';
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      yield 'second';
    }
    const { close, reader } = begin(slow());
    await reader.read();
    const second = reader.read();
    await sleep(5);
    await reader.cancel();
    expect(close).toHaveBeenCalledOnce();
    goOn();
    expect((await second).done).toBe(true);
    expect(close).toHaveBeenCalledOnce();
  });

  it('counts compressed bytes, so well compressed text does not make a slow reader fast', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const limits = { ...ROOMY, periodMs: 100, leastBytesPerSecond: 60_000 };
    const readSlowly = (reader: ReadableStreamDefaultReader<Uint8Array>) =>
      readAll(reader, () => vi.advanceTimersByTime(20));
    async function* repetitions() {
      for (let n = 0; n < 100; n++) yield 'x'.repeat(100_000);
    }
    const slow = begin(repetitions(), limits, 'gzip');
    await expect(readSlowly(slow.reader)).rejects.toThrow('too slow');
    expect(slow.close).toHaveBeenCalledOnce();
    async function* noises() {
      for (let n = 0; n < 30; n++) yield noise(80_000);
    }
    const fastEnough = begin(noises(), limits, 'gzip');
    expect(gunzipSync(await readSlowly(fastEnough.reader))).toHaveLength(30 * 80_000);
  });
});

describe('a slow reader', () => {
  it('is disconnected when it never starts to read', async () => {
    const { close, reader } = begin(count(100), { ...ROOMY, stallMs: 40 });
    await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
    await expect(reader.read()).rejects.toThrow('reads nothing');
  });

  it('is not a reader that waits for a chunk that takes long to produce', async () => {
    async function* slow() {
      await sleep(120);
      yield 'late';
    }
    const { reader } = begin(slow(), { ...ROOMY, stallMs: 40 });
    expect((await readAll(reader)).toString()).toBe('late');
  });

  it('is disconnected at the total limit when it keeps pausing below the stall limit', async () => {
    const { close, reader } = begin(count(1_000), { ...ROOMY, totalMs: 60 });
    const trickle = async () => {
      for (;;) {
        await reader.read();
        await sleep(10);
      }
    };
    await expect(trickle()).rejects.toThrow('it took too long');
    expect(close).toHaveBeenCalledOnce();
  });
});

describe('the slot of a download', () => {
  it('knows since when the client has not taken what was produced', async () => {
    const { reader, slot } = begin(count(3));
    expect(slot.waitingSince).toBeNull();
    const startedMs = performance.now();
    await reader.read();
    expect(slot.waitingSince).toBeGreaterThanOrEqual(startedMs);
    const firstMs = slot.waitingSince ?? 0;
    await sleep(20);
    expect(slot.waitingSince).toBe(firstMs);
    await reader.read();
    expect(slot.waitingSince).toBeGreaterThan(firstMs);
  });

  it('does not count the time in which the next chunk is produced', async () => {
    const { reader, slot } = begin(
      (async function* () {
        yield 'a';
        await sleep(60_000, undefined, { ref: false });
      })(),
    );
    await reader.read();
    reader.read().catch(() => undefined);
    await sleep(5);
    expect(slot.waitingSince).toBeNull();
    await reader.cancel();
  });

  it('breaks it off: the client gets an error, and what it holds is released once', async () => {
    const { reader, slot, close } = begin(count(3));
    await reader.read();
    slot.breakOff?.();
    await expect(reader.read()).rejects.toThrow('another one needs its slot');
    slot.breakOff?.();
    expect(close).toHaveBeenCalledOnce();
  });
});

const mebibyte = () => 'x'.repeat(1024 * 1024);
/** A few rows, which take the thread as long as a hundred. */
const slowRows = () => {
  const until = performance.now() + 5;
  while (performance.now() < until);
  return 'rows';
};

it.each([
  ['rests when its owner’s files take much of the thread beside others', 'bob', mebibyte, false],
  ['rests when its rows take much of the thread, however few their characters are', 'bob', slowRows, false],
  ['is read as fast as the client reads while its owner is alone', 'ada', mebibyte, true],
])('a download %s', async (_name, active, make, isComplete) => {
  forgetAll();
  setTestConfig();
  for (const owner of ['ada', active, 'ada']) noteActive(owner);
  let made = 0;
  const chunks = async function* () {
    for (; made < 80; made += 1) yield make();
  };
  const { reader } = begin(chunks());
  await Promise.race([readAll(reader), sleep(isComplete ? 10_000 : 700, undefined, { ref: false })]);
  await reader.cancel();
  expect(made === 80).toBe(isComplete);
});

it('a download counts what the thread works for it, and not how long it waits for the database', async () => {
  const countedMs = async (make: () => string | Promise<string>) => {
    const count = vi.spyOn(Pace.prototype, 'restAfter').mockReturnValue(0);
    onTestFinished(() => count.mockRestore());
    count.mockClear();
    const chunks = async function* () {
      for (let made = 0; made < 40; made += 1) yield await make();
    };
    await readAll(begin(chunks()).reader);
    return count.mock.calls.reduce((sum, [, cost]) => sum + cost, 0);
  };
  expect(await countedMs(() => sleep(5).then(() => 'rows'))).toBeLessThan((await countedMs(slowRows)) / 2);
});
