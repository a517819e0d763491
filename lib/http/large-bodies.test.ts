import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { noteActive } from '@/lib/platform/pace';
import { readNodeBody } from './body-reader';
import { endLargeBody } from './large-bodies';
import { unfinishedBodies } from './unfinished-bodies';

const MIB = 1024 * 1024;
const LIMIT = 25 * MIB;
const PIECE = Buffer.alloc(64 * 1024, 'x');

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'performance'] }));
afterEach(() => {
  vi.useRealTimers();
  for (const name of ['large-bodies', 'large-body-buffers', 'unfinished-bodies', 'body-turns'])
    setOnce(name, undefined);
});

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Begins to send a body to an owner, and says what of it was read. */
function send(ownerId: string, bytes: number | null, limit = LIMIT) {
  const headers = bytes === null ? {} : { 'content-length': String(bytes) };
  const message = Object.assign(new PassThrough({ highWaterMark: LIMIT }), { headers, rawHeaders: [] });
  const state = { read: 0, body: null as Buffer | null, error: null as unknown };
  const sender = { network: `network of ${ownerId}`, ownerId };
  const done = readNodeBody(message as unknown as IncomingMessage, limit, sender, (body) => {
    state.body = body;
  }).catch((error: unknown) => {
    state.error = error;
  });
  message.on('data', (chunk: Buffer) => {
    state.read += chunk.length;
  });
  const write = async (count: number) => {
    for (let sent = 0; sent < count; sent += PIECE.length) message.write(PIECE);
    await settled();
  };
  const finish = async () => {
    message.end();
    await done;
  };
  return { message, state, write, finish };
}

it('reads two large bodies of an owner and four in all; others are not read until one is used', async () => {
  const bodies = ['a', 'a', 'a', 'b', 'b', 'c'].map((owner) => send(owner, 2 * MIB));
  for (const { write } of bodies) await write(MIB);
  expect(bodies.map(({ state }) => state.read > PIECE.length)).toEqual([true, true, false, true, true, false]);
  const [first] = bodies;
  await first?.write(MIB);
  await first?.finish();
  await settled();
  expect(bodies[2]?.state.read).toBe(PIECE.length);
  endLargeBody(first?.state.body as Buffer);
  await settled();
  // Owners take turns: the third owner has waited, and the first one still has a body.
  expect([2, 5].map((index) => (bodies[index]?.state.read ?? 0) > PIECE.length)).toContain(true);
});

it('counts at most 512 KiB of a large body with all others, however large it becomes', async () => {
  const { write } = send('a', null);
  await write(10 * MIB);
  expect(unfinishedBodies().bytes).toBeLessThanOrEqual(LARGE_BODY_BYTES);
});

it('reads a large body byte for byte, with and without a declared size', async () => {
  for (const declared of [LARGE_BODY_BYTES + PIECE.length, null]) {
    const sent = send('a', declared);
    await sent.write(LARGE_BODY_BYTES);
    sent.message.write(Buffer.alloc(PIECE.length, 'y'));
    await sent.finish();
    const { body } = sent.state;
    expect(body?.equals(Buffer.concat([Buffer.alloc(LARGE_BODY_BYTES, 'x'), Buffer.alloc(PIECE.length, 'y')]))).toBe(
      true,
    );
    endLargeBody(body as Buffer);
  }
});

it('reads no byte of a body that declares more than the limit, and ends one that exceeds it', async () => {
  const declared = send('a', LIMIT + 1);
  await settled();
  expect(declared.state.error).toMatchObject({ code: 'payload_too_large' });
  const chunked = send('a', null, MIB);
  await chunked.write(MIB);
  expect(chunked.state.error).toBeNull();
  await chunked.write(PIECE.length);
  expect(chunked.state.error).toMatchObject({ code: 'payload_too_large' });
});

it('gives the place of a body that arrives slowly to one that waits; nobody loses it while none waits', async () => {
  const slow = ['a', 'a', 'b', 'b'].map((owner) => send(owner, 2 * MIB));
  for (const { write } of slow) await write(PIECE.length);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(slow.map(({ state }) => state.error)).toEqual([null, null, null, null]);
  const waiting = send('c', MIB);
  await waiting.write(MIB);
  expect(waiting.state.read).toBe(PIECE.length);
  await vi.advanceTimersByTimeAsync(5_000);
  await settled();
  expect(slow.filter(({ state }) => state.error !== null)).not.toHaveLength(0);
  expect(waiting.state.read).toBe(MIB);
});

it('counts the time of a place: who sends little for seconds comes after who has sent 5 MiB', async () => {
  /** Sends a body that keeps its place. */
  const keep = async (owner: string, size: number) => {
    const sent = send(owner, size);
    await sent.write(size);
    await sent.finish();
    return () => {
      endLargeBody(sent.state.body as Buffer);
      return settled();
    };
  };
  for (const owner of ['a', 'a', 'b']) await keep(owner, MIB);
  for (const owner of ['slow', 'honest']) noteActive(owner);
  const endHonest = await keep('honest', 5 * MIB);
  const third = keep('c', MIB);
  await endHonest();
  await (await third)();
  const slow = send('slow', LIMIT);
  await slow.write(PIECE.length);
  const fourth = keep('d', MIB);
  await vi.advanceTimersByTimeAsync(2_000);
  slow.message.destroy();
  await settled();
  const end = await fourth;
  const waiting = ['slow', 'honest'].map((owner) => send(owner, MIB));
  for (const { write } of waiting) await write(MIB);
  expect(waiting.map(({ state }) => state.read)).toEqual([PIECE.length, PIECE.length]);
  await end();
  expect(waiting.map(({ state }) => state.read)).toEqual([PIECE.length, MIB]);
});

it('reads a body that has a place to its end while other bodies of its owner wait for turns: only its sender makes it slow', async () => {
  const others = Array.from({ length: 3 }, () => send('a', LARGE_BODY_BYTES));
  for (const { write } of others) await write(2 * PIECE.length);
  expect(others.map(({ message }) => message.isPaused())).toEqual([false, false, true]);
  const large = send('a', 2 * MIB);
  await large.write(2 * MIB);
  expect(large.state.read).toBe(2 * MIB);
});

it('reads 25 MiB at once and 10 MiB a second of an owner while others are active; other owners do not wait', async () => {
  const post = async (owner: string, bytes: number) => {
    const sent = send(owner, bytes);
    await sent.write(bytes);
    if (sent.state.read < bytes) return sent;
    await sent.finish();
    endLargeBody(sent.state.body as Buffer);
    return null;
  };
  for (const owner of ['b', 'a']) noteActive(owner);
  for (const bytes of [25 * MIB, 20 * MIB, 10 * MIB]) expect(await post('a', bytes)).toBeNull();
  const resting = await post('a', MIB);
  expect(resting).not.toBeNull();
  expect(await post('b', 2 * MIB)).toBeNull();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(resting?.state.read).toBe(PIECE.length);
  await vi.advanceTimersByTimeAsync(1);
  await settled();
  expect(resting?.state.read).toBe(MIB);
});

it('reads a body into the buffer of the one before, but not while that one is used, and frees buffers after 30 idle seconds', async () => {
  const post = async (letter: string) => {
    const sent = send('a', null);
    for (let count = 0; count < 16; count += 1) sent.message.write(Buffer.alloc(PIECE.length, letter));
    await settled();
    await sent.finish();
    const body = sent.state.body as Buffer;
    expect(body.equals(Buffer.alloc(MIB, letter))).toBe(true);
    return body;
  };
  const first = await post('x');
  const beside = await post('y');
  expect([beside.buffer === first.buffer, first.equals(Buffer.alloc(MIB, 'x'))]).toEqual([false, true]);
  endLargeBody(first);
  const next = await post('z');
  expect(next.buffer).toBe(first.buffer);
  for (const body of [beside, next]) endLargeBody(body);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([first.buffer, beside.buffer]).not.toContain((await post('x')).buffer);
});

it('counts owners that send large bodies as active: two of them rest for each other, and one alone does not', async () => {
  setOnce('active-owners', undefined);
  const post = async (owner: string) => {
    const sent = send(owner, 20 * MIB);
    await sent.write(20 * MIB);
    const { read } = sent.state;
    await sent.finish();
    endLargeBody(sent.state.body as Buffer);
    return read;
  };
  for (const owner of ['a', 'a', 'a', 'a']) expect(await post(owner)).toBe(20 * MIB);
  expect(await post('b')).toBe(20 * MIB);
  expect(await post('a')).toBe(20 * MIB);
  const [first, second] = [send('a', 20 * MIB), send('a', 20 * MIB)];
  for (const { write } of [first, second]) await write(20 * MIB);
  expect([first.state.read, second.state.read]).toEqual([20 * MIB, PIECE.length]);
});

it('gives the place of a client that disconnects back', async () => {
  const gone = ['a', 'a', 'b', 'b'].map((owner) => send(owner, 2 * MIB));
  for (const { write } of gone) await write(PIECE.length);
  for (const { message } of gone) message.destroy();
  await settled();
  const next = send('a', MIB);
  await next.write(MIB);
  expect(next.state.read).toBe(MIB);
});
