import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRAME, type FrameType, MAX_CHUNK_BYTES, RESET, WINDOW_BYTES } from './protocol';
import { StrayFrames } from './session';
import { ChunkQueue, TunnelStream } from './stream';

/** A carrier that records what is sent, and has room while `isOpen`. */
function carrier() {
  const sent: [type: FrameType, bytes: number][] = [];
  const waiting: TunnelStream[] = [];
  const state = { hasRoom: true, forgotten: 0 };
  const stream = new TunnelStream(
    {
      send: (type, _id, payload) => void sent.push([type, payload?.length ?? 0]),
      hasRoom: () => state.hasRoom,
      waitForRoom: (each) => void waiting.push(each),
      forget: () => {
        state.forgotten += 1;
      },
    },
    1,
  );
  const bodyBytes = () => sent.filter(([type]) => type === FRAME.body).reduce((sum, [, bytes]) => sum + bytes, 0);
  return { stream, sent, waiting, state, bodyBytes };
}

it('a stream sends at most a window of bytes, in small frames, until it is granted more', async () => {
  const { stream, sent, bodyBytes } = carrier();
  stream.write(Buffer.alloc(WINDOW_BYTES));
  stream.write(Buffer.alloc(100_000));
  expect(bodyBytes()).toBe(WINDOW_BYTES);
  expect(Math.max(...sent.map(([, bytes]) => bytes))).toBe(MAX_CHUNK_BYTES);
  expect(stream.receiveCreditOf(60_000)).toBeNull();
  expect(bodyBytes()).toBe(WINDOW_BYTES + 60_000);
  expect(stream.receiveCreditOf(60_000)).toBeNull();
  await expect.poll(bodyBytes).toBe(WINDOW_BYTES + 100_000);
});

it('a stream sends what is written in single bytes in few frames, and the first ones at once', async () => {
  const { stream, sent, bodyBytes } = carrier();
  stream.write('x');
  expect(bodyBytes()).toBe(1);
  for (let count = 1; count < 10_000; count++) stream.write('x');
  stream.end();
  await expect.poll(() => sent.at(-1)).toEqual([FRAME.end, 0]);
  expect(bodyBytes()).toBe(10_000);
  expect(sent.length).toBeLessThan(20);
});

it('a stream waits for room, and sends one chunk in its turn', () => {
  const { stream, waiting, state, bodyBytes } = carrier();
  state.hasRoom = false;
  stream.write(Buffer.alloc(100_000));
  expect([bodyBytes(), waiting]).toEqual([0, [stream]]);
  stream.takeTurn();
  expect(bodyBytes()).toBe(MAX_CHUNK_BYTES);
});

it('a stream grants more window only for what is read', async () => {
  const { stream, sent } = carrier();
  const grants = () => sent.filter(([type]) => type === FRAME.window).length;
  for (let count = 0; count < 8; count++) expect(stream.receiveBody(Buffer.alloc(32 * 1024))).toBeNull();
  expect(stream.receiveBody(Buffer.alloc(1))).toBe('the body exceeds the window of its stream');
  expect(grants()).toBe(0);
  stream.resume();
  await expect.poll(grants).toBeGreaterThan(0);
});

it('a stream ends without a reset when both sides have ended it', async () => {
  const { stream, sent, state } = carrier();
  stream.end('x');
  expect(stream.receiveBody(Buffer.from('body'))).toBeNull();
  expect(stream.receiveEnd()).toBeNull();
  expect(stream.receiveEnd()).toBe('a stream ends twice');
  const chunks: string[] = [];
  for await (const chunk of stream) chunks.push(String(chunk));
  expect([chunks, state.forgotten]).toEqual([['body'], 1]);
  expect(sent.map(([type]) => type)).toEqual([FRAME.body, FRAME.end]);
});

it('a stream counts the bytes that were not read or not sent, and none after a reset', () => {
  const { stream } = carrier();
  for (const bytes of [10_000, 60_000, 60_000]) expect(stream.receiveBody(Buffer.alloc(bytes))).toBeNull();
  stream.read(0);
  expect(stream.bufferedBytes).toBe(130_000);
  stream.write(Buffer.alloc(WINDOW_BYTES));
  stream.write(Buffer.alloc(100_000));
  expect(stream.bufferedBytes).toBe(230_000);
  expect(stream.readableLength).toBeGreaterThan(0);
  stream.reset(RESET.failed);
  expect(stream.bufferedBytes).toBe(0);
});

it('a stream announces its own reset once, and never echoes one', async () => {
  const mine = carrier();
  const theirs = carrier();
  const closed = [mine, theirs].map(({ stream }) => new Promise((resolve) => stream.once('close', resolve)));
  mine.stream.reset(RESET.timeout);
  theirs.stream.endByPeer(RESET.failed);
  await Promise.all(closed);
  expect([mine.sent, theirs.sent]).toEqual([[[FRAME.reset, 1]], []]);
  expect([mine.state.forgotten, theirs.state.forgotten]).toEqual([1, 1]);
});

it('a queue returns bytes in order, whatever the sizes of the chunks', () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20_000 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const queue = new ChunkQueue();
      const chunks = lengths.map((length, index) => Buffer.alloc(length, index));
      for (const chunk of chunks) queue.add(chunk);
      expect(queue.bytes).toBe(lengths.reduce((sum, length) => sum + length, 0));
      const taken: Buffer[] = [];
      for (let chunk = queue.take(); chunk !== undefined; chunk = queue.take()) taken.push(chunk);
      expect(Buffer.concat(taken).equals(Buffer.concat(chunks))).toBe(true);
      expect(queue.bytes).toBe(0);
    }),
  );
});

it('a queue of a window in single bytes uses about as much memory as it holds bytes', () => {
  const queue = new ChunkQueue();
  const backing = Buffer.alloc(64 * 1024);
  for (let count = 0; count < WINDOW_BYTES; count++) queue.add(backing.subarray(0, 1));
  let held = 0;
  for (let chunk = queue.take(); chunk !== undefined; chunk = queue.take()) held += chunk.buffer.byteLength;
  expect(held).toBeLessThan(2 * WINDOW_BYTES);
});

describe('frames of ended streams', () => {
  const countUntilFault = (stray: StrayFrames, payloadBytes: number) => {
    for (let frames = 0; frames < 10 * WINDOW_BYTES; frames++) if (stray.count(payloadBytes) !== null) return frames;
    return null;
  };

  it('the entire window of a reset stream may still arrive, even in single bytes, but not unlimited frames', () => {
    const frames = countUntilFault(new StrayFrames(), 1);
    expect(frames).not.toBeNull();
    expect(frames).toBeGreaterThanOrEqual(WINDOW_BYTES);
  });

  it('only few frames without a payload may still arrive', () => {
    expect(countUntilFault(new StrayFrames(), 0)).toBeLessThan(20_000);
  });
});
