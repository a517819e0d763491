import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { AppError } from '@/lib/platform/errors';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { ALWAYS_ALLOWED, type OpenAccess } from '@/lib/platform/open-connections';
import { encodeCredit, encodeFrame } from '@/lib/tunnel/protocol/frames';
import {
  CLOSE,
  FRAME,
  type FrameType,
  MAX_FRAME_BYTES,
  MAX_RESPONSE_HEAD_BYTES,
  WINDOW_BYTES,
} from '@/lib/tunnel/protocol/protocol';
import type { FrameKind } from '@/lib/tunnel/protocol/session';
import { setTestConfig } from '@/tests/setup/variables';
import { BufferBudget, FrameBudget } from './budgets';
import { ConnectedClient } from './connected-client';
import { FRAME_OPTIONS } from './connected-clients';

/** A client whose frames the tests write, and the relay's end of its connection. */
let server = null as unknown as Server;
let client = null as unknown as WebSocket;
let connected = null as unknown as ConnectedClient;
let ended: Promise<[number, string]>;
let accept: (tunnel: ConnectedClient) => void;
let budget: BufferBudget;
let access: OpenAccess;
let frames: FrameBudget;
/** Frames received on all connections. */
let seenFrames = 0;
let onFrame = vi.fn<(bytes: number, kind: FrameKind) => number>();

beforeEach(async () => {
  setTestConfig();
  access = ALWAYS_ALLOWED(() => undefined);
  budget = new BufferBudget(() => [connected]);
  frames = new FrameBudget();
  server = createServer();
  const sockets = new WebSocketServer({ server, ...FRAME_OPTIONS });
  sockets.on('connection', (webSocket, { socket }) => {
    const ids = { tunnelId: 'tunnel', projectId: 'project', ownerId: 'owner', connectionId: 'connection' };
    onFrame = vi.fn((bytes: number) => {
      seenFrames += 1;
      return frames.count('owner', bytes);
    });
    accept(
      new ConnectedClient(webSocket, {
        ...ids,
        access,
        socket,
        headBytes: 0,
        onBytes: (bytes) => budget.count(bytes),
        owedMs: () => frames.owedMs('owner'),
        onFrame,
        onClose: () => undefined,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await connect();
});
afterEach(() => {
  client.terminate();
  server.closeAllConnections();
  server.close();
});

async function connect(): Promise<void> {
  const accepted = new Promise<ConnectedClient>((resolve) => {
    accept = resolve;
  });
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { perMessageDeflate: false });
  client.on('error', () => undefined);
  ended = new Promise((resolve) => client.on('close', (code, reason) => resolve([code, String(reason)])));
  await once(client, 'open');
  connected = await accepted;
}

const HEAD = { method: 'GET', path: '/', headers: [], hasBody: false };
function ask(signal = new AbortController().signal, headers: HeaderPairs = []) {
  const tunnel = { id: 'tunnel', projectId: 'project' };
  const asked = connected.exchange({ tunnel, head: { ...HEAD, headers }, body: null, signal });
  // Requests that still wait at the end of a test fail with the connection.
  asked.catch(() => undefined);
  return asked;
}
const bytesOf = (payload?: Buffer | object) =>
  payload === undefined || Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));
const send = (...[type, id, payload]: [FrameType, number, (Buffer | object)?]) =>
  client.send(encodeFrame(type, id, bytesOf(payload)));
const codeOf = (error: AppError) => error.code;

describe('a client that breaks the protocol is disconnected with the reason', () => {
  const ok = { status: 200, headers: [] };
  it.each<[string, () => void, string]>([
    ['a text message', () => client.send('hello'), 'a message is not binary'],
    ['a frame that is too short', () => client.send(Buffer.alloc(4)), 'a frame has at least five bytes'],
    ['an unknown type', () => client.send(Buffer.from([0, 0, 0, 1, 9])), 'there is no frame of type 9'],
    ['the stream 0', () => send(FRAME.end, 0), 'no stream has the id 0'],
    ['a stream that was never opened', () => send(FRAME.end, 7), 'a frame belongs to no stream'],
    ['a request', () => send(FRAME.requestHead, 1, HEAD), 'only the relay opens streams'],
    [
      'a head that is not JSON',
      () => send(FRAME.responseHead, 1, Buffer.from('{')),
      'the head of a response is not valid',
    ],
    [
      'a head of another shape',
      () => send(FRAME.responseHead, 1, { status: '200', headers: {} }),
      'the head of a response is not valid',
    ],
    [
      'a head of more than 32 KiB',
      () => send(FRAME.responseHead, 1, Buffer.alloc(MAX_RESPONSE_HEAD_BYTES + 1, '{')),
      'the size of a head is not valid',
    ],
    [
      'a head with more than 200 headers',
      () => send(FRAME.responseHead, 1, { status: 200, headers: Array(201).fill(['x', 'y']) }),
      'the head of a response is not valid',
    ],
    ['two heads', () => void [1, 2].map(() => send(FRAME.responseHead, 1, ok)), 'a stream has two heads'],
    ['a body before its head', () => send(FRAME.body, 1, Buffer.from('x')), 'a body comes before its head'],
    ['an end before its head', () => send(FRAME.end, 1), 'a body comes before its head'],
    ['an empty body frame', () => send(FRAME.body, 1), 'the size of a body frame is not valid'],
    ['a window of nothing', () => send(FRAME.window, 1, encodeCredit(0)), 'a window grants nothing'],
    [
      'a window that overflows',
      () => send(FRAME.window, 1, encodeCredit(0xffff_ffff)),
      'the window of a stream is too large',
    ],
    ['a window of three bytes', () => send(FRAME.window, 1, Buffer.alloc(3)), 'a window has a payload of four bytes'],
    ['a reset without a code', () => send(FRAME.reset, 1), 'a reset has a payload of one byte'],
  ])('%s', async (_what, misbehave, reason) => {
    const asked = ask().catch(codeOf);
    misbehave();
    expect(await ended).toEqual([CLOSE.malformed, reason]);
    await asked;
  });

  it('a body beyond the window, and what had arrived is bounded', async () => {
    const asked = ask();
    send(FRAME.responseHead, 1, ok);
    const { body } = await asked;
    for (let sent = 0; sent <= WINDOW_BYTES; sent += 32 * 1024) send(FRAME.body, 1, Buffer.alloc(32 * 1024));
    expect(await ended).toEqual([CLOSE.malformed, 'the body exceeds the window of its stream']);
    expect(body.destroyed).toBe(true);
  });

  it('a body after the end', async () => {
    const asked = ask();
    send(FRAME.responseHead, 1, ok);
    await asked;
    send(FRAME.body, 1, Buffer.alloc(40_000));
    send(FRAME.end, 1);
    send(FRAME.body, 1, Buffer.from('x'));
    // The stream has ended, so the frame belongs to none; a few are allowed.
    for (let count = 0; count < 20_000; count++) send(FRAME.body, 1, Buffer.alloc(64));
    expect(await ended).toEqual([CLOSE.malformed, 'too many frames belong to ended streams']);
  });

  it('a message above the limit', async () => {
    client.send(Buffer.alloc(MAX_FRAME_BYTES + 1));
    expect((await ended)[0]).toBe(1009);
  });

  it('more fragments than a client sends', async () => {
    for (let count = 0; count < 20; count++) client.send(Buffer.from([0]), { fin: false });
    expect((await ended)[0]).toBe(1008);
  });

  it('anything at all: no message throws, and the next client is served', async () => {
    const type = fc.constantFrom(...Object.values(FRAME));
    const frame = fc.tuple(type, fc.integer({ min: 0, max: 3 }), fc.uint8Array({ maxLength: 64 }));
    const message = fc.oneof(
      fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
      frame.map(([kind, id, payload]) => encodeFrame(kind, id, Buffer.from(payload))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 8 }), async (messages) => {
        await connect();
        void ask();
        void ask();
        for (const each of messages) client.send(each);
        client.close();
        await ended;
      }),
      { numRuns: 150 },
    );
    await connect();
    const asked = ask();
    send(FRAME.responseHead, 1, ok);
    expect((await asked).head.status).toBe(200);
  });
});

describe('a response that is not valid HTTP fails with tunnel_failed, and does not affect other requests', () => {
  it.each<[string, object]>([
    ['the status 100', { status: 100, headers: [] }],
    ['the status 101', { status: 101, headers: [] }],
    ['the status 999', { status: 999, headers: [] }],
    ['a fractional status', { status: 200.5, headers: [] }],
    ['a line break in a value', { status: 200, headers: [['x', 'a\r\nSet-Cookie: b']] }],
    ['a line break in a name', { status: 200, headers: [['x\r\n', 'a']] }],
    ['a space in a name', { status: 200, headers: [['x y', 'a']] }],
    ['an empty name', { status: 200, headers: [['', 'a']] }],
    ['a value outside of latin1', { status: 200, headers: [['x', '\u4e00']] }],
    [
      'two lengths',
      {
        status: 200,
        headers: [
          ['content-length', '1'],
          ['Content-Length', '2'],
        ],
      },
    ],
    [
      'one length twice',
      {
        status: 200,
        headers: [
          ['content-length', '1'],
          ['Content-Length', '1'],
        ],
      },
    ],
    ['a Connection that names very many headers', { status: 200, headers: [['connection', ','.repeat(1_025)]] }],
    ['a length that is no number', { status: 200, headers: [['content-length', '-1']] }],
  ])('%s', async (_what, head) => {
    const first = ask().catch(codeOf);
    const second = ask();
    send(FRAME.responseHead, 1, head);
    expect(await first).toBe('tunnel_failed');
    send(FRAME.responseHead, 2, { status: 204, headers: [] });
    expect((await second).head.status).toBe(204);
  });
});

describe('a request', () => {
  it('fails with tunnel_offline when the client dies before it responds', async () => {
    const asked = ask().catch(codeOf);
    await sleep(20);
    client.terminate();
    expect(await asked).toBe('tunnel_offline');
  });

  it('fails with tunnel_busy when it is the 101st in flight, and succeeds once another has ended', async () => {
    const asked = Array.from({ length: 100 }, () => ask());
    expect(await ask().catch(codeOf)).toBe('tunnel_busy');
    send(FRAME.responseHead, 1, { status: 200, headers: [] });
    send(FRAME.end, 1);
    (await (asked[0] as ReturnType<typeof ask>)).body.resume();
    await expect.poll(() => connected.requestsInFlight).toBe(99);
    const next = ask();
    send(FRAME.responseHead, 101, { status: 200, headers: [] });
    expect((await next).head.status).toBe(200);
    client.terminate();
    await Promise.allSettled(asked);
  });

  it('tells the client when it is aborted, and fails with the reason', async () => {
    const frames: Buffer[] = [];
    client.on('message', (data: Buffer) => frames.push(data));
    const ending = new AbortController();
    const asked = ask(ending.signal).catch((error: Error) => error.message);
    ending.abort(new Error('enough'));
    expect(await asked).toBe('enough');
    await expect.poll(() => frames.at(-1)?.[4]).toBe(FRAME.reset);
  });

  it('costs at most a few MiB for a client that never reads', async () => {
    (client as unknown as { _socket: { pause(): void } })._socket.pause();
    for (let count = 0; count < 20_000; count++) client.ping(Buffer.alloc(100));
    await sleep(500);
    expect(connected.session.unsentBytes).toBeLessThan(2 * 1024 * 1024);
  });

  it('is disconnected when it does not read while too much is buffered for all clients', async () => {
    (client as unknown as { _socket: { pause(): void } })._socket.pause();
    // Socket buffers take the first few MiB.
    for (let count = 0; count < 2_000; count++) {
      ask(AbortSignal.timeout(1), [['X', 'x'.repeat(60_000)]]);
      if (count % 50 === 0) await sleep(5);
    }
    expect(connected.isOpen).toBe(true);
    expect(connected.session.unsentBytes).toBeGreaterThan(2 * 1024 * 1024);
    budget = new BufferBudget(() => [connected], 1024 * 1024);
    // Counts bytes as other tunnels would.
    budget.count(8 * 1024 * 1024);
    expect(connected.isOpen).toBe(false);
    await expect.poll(() => connected.requestsInFlight).toBe(0);
  });
});

describe('what a client sends counts as memory', () => {
  const unfinished = Buffer.alloc(100_000);

  it.each<[string, () => void]>([
    ['a message without an end', () => client.send(unfinished, { fin: false })],
    [
      'with pings between its fragments',
      () => [0, 1].map(() => client.send(unfinished.subarray(0, 50_000), { fin: false }, () => client.ping('x'))),
    ],
  ])('%s', async (_, start) => {
    start();
    await expect.poll(() => connected.memoryBytes).toBeGreaterThan(99_000);
    budget = new BufferBudget(() => [connected], 50_000);
    budget.count(8 * 1024 * 1024);
    expect(connected.isOpen).toBe(false);
  });

  it('behind a complete message of the same read', async () => {
    ask();
    const socket = (client as unknown as { _socket: Socket & { cork(): void; uncork(): void } })._socket;
    socket.cork();
    send(FRAME.responseHead, 1, { status: 200, headers: [] });
    client.send(unfinished.subarray(0, 60_000), { fin: false });
    socket.uncork();
    await expect.poll(() => connected.memoryBytes).toBeGreaterThan(59_000);
  });

  it('until its messages are complete, in fragments or not', async () => {
    ask();
    send(FRAME.responseHead, 1, { status: 200, headers: [] });
    const frame = encodeFrame(FRAME.body, 1, Buffer.alloc(1_000));
    for (let count = 0; count < 40; count++) {
      client.send(frame.subarray(0, 500), { fin: false });
      client.send(frame.subarray(500), { fin: true });
      client.ping('x'.repeat(100));
    }
    await expect.poll(() => onFrame.mock.calls.length).toBe(81);
    // The headers of fragments are counted up to a slice.
    expect(connected.memoryBytes).toBeGreaterThanOrEqual(40_000);
    expect(connected.memoryBytes).toBeLessThan(42_048);
  });

  it('as much as it uses: bytes that wait for a visitor do not keep the others that were read with them', async () => {
    const [slow, fast] = [ask(), ask()];
    for (const id of [1, 2]) send(FRAME.responseHead, id, { status: 200, headers: [] });
    (await fast).body.resume();
    const socket = (client as unknown as { _socket: { cork(): void; uncork(): void } })._socket;
    socket.cork();
    send(FRAME.body, 1, Buffer.alloc(4_096));
    send(FRAME.body, 2, Buffer.alloc(60_000));
    socket.uncork();
    const { body } = await slow;
    await expect.poll(() => connected.memoryBytes).toBe(4_096);
    expect(
      await new Promise((resolve) => body.once('data', (chunk: Buffer) => resolve(chunk.buffer.byteLength))),
    ).toBeLessThanOrEqual(2 * 4_096);
  });
});

describe('a client whose access is in doubt', () => {
  /** Lets the test decide how the check ends: what it does before, and whether it clears the doubt. */
  async function doubt(check: (frames: Buffer[]) => void, clears: boolean): Promise<Buffer[]> {
    client.terminate();
    await ended;
    const frames: Buffer[] = [];
    const inDoubt = { isInDoubt: true, release: () => undefined };
    const checked = async () => {
      await sleep(20);
      check(frames);
      inDoubt.isInDoubt = !clears;
    };
    access = Object.assign(inDoubt, { checked });
    await connect();
    client.on('message', (data: Buffer) => frames.push(data));
    return frames;
  }

  it('gets a request once the check allows it', async () => {
    const frames = await doubt((seen) => expect(seen).toEqual([]), true);
    ask();
    await expect.poll(() => frames.length).toBeGreaterThan(0);
  });

  it.each<[string, () => void, boolean]>([
    ['refuses it', () => connected.session.close(CLOSE.forbidden, 'revoked'), true],
    ['fails', () => undefined, false],
  ])('gets no request when the check %s', async (_, check, clears) => {
    const frames = await doubt(check, clears);
    expect(await ask().catch(codeOf)).toBe('tunnel_offline');
    await sleep(20);
    expect(frames).toEqual([]);
  });
});

describe('a flood of frames', () => {
  const SLOW = { perSecond: 1, atOnce: 100, bytesOfFrame: 1, framesOfBody: 1 };
  const ping = () => client.ping('');
  const flood = () => {
    for (let count = 0; count < 200_000; count++) ping();
  };
  const reconnect = async (rate: ConstructorParameters<typeof FrameBudget>[0]) => {
    frames = new FrameBudget(rate);
    await connect();
  };

  it('is not read beyond what the clients of an owner may send: it stays with the client', async () => {
    await reconnect({ ...SLOW, mostOwed: Number.POSITIVE_INFINITY });
    flood();
    await expect.poll(() => onFrame.mock.calls.length).toBeGreaterThan(100);
    await sleep(500);
    // A slice of frames, not all that a read of the socket has.
    expect(onFrame.mock.calls.length).toBeLessThan(2_000);
    expect(connected.isOpen).toBe(true);
  });

  it('on several connections is read on one at a time, also by those that begin together', async () => {
    await reconnect({ ...SLOW, perSecond: 100, mostOwed: Number.POSITIVE_INFINITY });
    const clients = [client];
    for (let count = 0; count < 9; count++) {
      const { port } = server.address() as AddressInfo;
      const other = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false }).on('error', () => undefined);
      clients.push(other);
      await once(other, 'open');
    }
    const before = seenFrames;
    for (const each of clients) for (let count = 0; count < 20_000; count++) each.ping('');
    await expect.poll(() => seenFrames - before).toBeGreaterThan(100);
    // The first slice, of 341 frames, uses up 2.4 seconds. All others begin then.
    await sleep(3_000);
    expect(seenFrames - before).toBeLessThan(1_500);
    for (const each of clients) each.terminate();
  });

  it('that breaks off is not read', async () => {
    await reconnect({ ...SLOW, mostOwed: Number.POSITIVE_INFINITY });
    const { socket } = connected.options;
    flood();
    await expect.poll(() => socket.readableLength).toBeGreaterThan(40_000);
    (client as unknown as { _socket: Socket })._socket.resetAndDestroy();
    await expect.poll(() => socket.closed).toBe(true);
    await sleep(20);
    expect(onFrame.mock.calls.length).toBeLessThan(1_000);
  });

  it.each<[string, (raw: Socket) => void]>([
    ['a close frame', (raw) => raw.write(Buffer.from([0x88, 0x80, 0, 0, 0, 0]))],
    ['a frame that breaks the protocol', (raw) => raw.write(Buffer.from([0xff, 0xff, 0, 0, 0, 0]))],
  ])('is not read after %s, and its connection ends', async (_, finish) => {
    const { socket } = connected.options;
    const raw = (client as unknown as { _socket: Socket })._socket;
    client.pause();
    finish(raw);
    await expect.poll(() => connected.isOpen).toBe(false);
    for (let mib = 0; mib < 64; mib++) raw.write(Buffer.alloc(1024 * 1024, Buffer.from([0x82, 0x80, 0, 0, 0, 0])));
    await sleep(500);
    expect(socket.bytesRead).toBeLessThan(1024 * 1024);
    raw.on('error', () => undefined);
    await expect.poll(() => socket.destroyed, { timeout: 4_000 }).toBe(true);
  });

  it('is not read beyond that while its connection is closed', async () => {
    await reconnect({ ...SLOW, mostOwed: Number.POSITIVE_INFINITY });
    connected.session.close(CLOSE.replaced, 'replaced');
    flood();
    await expect.poll(() => onFrame.mock.calls.length).toBeGreaterThan(100);
    await sleep(500);
    expect(onFrame.mock.calls.length).toBeLessThan(2_000);
  });
});
