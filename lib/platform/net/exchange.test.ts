import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { noteActive } from '@/lib/platform/pace';
import { post, toAddress, useExchanges } from '@/tests/http/exchange-pools';
import { respondWith, startReceiver, waitFor } from '@/tests/http/receiver';
import { startEventLoopClock } from '@/tests/time/event-loop-clock';
import { makeAddressPolicy } from './address-policy';
import { ConnectionTurns } from './connection-turns';
import { postMessage } from './exchange';
import { describeFailure, TURN_TIMEOUT_MS } from './failure-reason';
import type { HttpPools } from './http-pools';
import type { ResolveHost } from './resolve-host';

const { makePools, startRawServer, startTlsReceiver, closeAll } = useExchanges();

describe('a message', () => {
  it('is posted completely, and its response is read', async () => {
    const receiver = await startReceiver(respondWith(201, 'thanks', { 'retry-after': '7' }));
    const exchange = await post(makePools(), `http://receiver.test:${receiver.port}/a?b=c`);
    expect(exchange).toMatchObject({ status: 201, retryAfter: '7', error: null });
    expect(exchange.body?.toString()).toBe('thanks');
    expect(receiver.received[0]).toMatchObject({ method: 'POST', path: '/a?b=c', body: '{"a":1}' });
    expect(receiver.received[0]?.headers).toMatchObject({ host: `receiver.test:${receiver.port}`, 'x-a': 'b' });
    expect(receiver.received[0]?.headers).not.toHaveProperty('accept-encoding');
  });

  it('reuses the connection of the one before', async () => {
    const ports = new Set<number | undefined>();
    const receiver = await startReceiver((response) => {
      ports.add(response.socket?.remotePort);
      response.end('ok');
    });
    const pools = makePools();
    for (let count = 0; count < 3; count += 1) {
      await post(pools, receiver.url);
      await sleep(5);
    }
    expect(ports.size).toBe(1);
  });

  it('does not follow a redirect', async () => {
    const elsewhere = await startReceiver();
    const receiver = await startReceiver(respondWith(302, '', { location: elsewhere.url }));
    expect(await post(makePools(), receiver.url)).toMatchObject({ status: 302, error: null });
    expect(elsewhere.received).toHaveLength(0);
  });

  it('fails when its receiver answers with informational responses without end, but not after a few', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    let written = 0;
    const endless = await startRawServer((socket) => {
      const write = () => {
        while (socket.writable && socket.write(hints)) written += 1;
      };
      socket.on('drain', write).once('data', write);
    });
    const { error, status } = await post(makePools(), `http://a.test:${endless}/`);
    expect([status, describeFailure(error)]).toEqual([null, 'Response is not valid HTTP']);
    expect(written).toBeGreaterThan(0);
    const polite = await startRawServer((socket) => {
      socket.once('data', () => socket.write(`${hints.repeat(5)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`));
    });
    expect(await post(makePools(), `http://a.test:${polite}/`)).toMatchObject({ status: 200, error: null });
  });

  it.each([
    ['trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', 'a: b\r\n'.repeat(1_000)],
    ['an extension of a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'x'.repeat(8_000)],
  ])('fails when its receiver answers with %s without end', async (_, head, piece) => {
    const port = await startRawServer((socket) => {
      const write = () => {
        while (socket.writable && socket.write(piece));
      };
      socket.once('data', () => {
        socket.write(head);
        socket.on('drain', write);
        write();
      });
    });
    const { error, durationMs } = await post(makePools(), `http://a.test:${port}/`);
    expect(error).not.toBeNull();
    expect(durationMs).toBeLessThan(5_000);
  });

  it.each([
    [300, 1, 'Response is not valid HTTP'],
    [300, 64, 'Connection failed'],
    [200, 1, 'Connection failed'],
  ])('that is answered in %d pieces of %d bytes fails with: %s', async (pieces, bytes, reason) => {
    const dispatch = (_: object, handler: Dispatcher.DispatchHandler) => {
      let error: Error | null = null;
      const abort = (cause: Error) => {
        error ??= cause;
      };
      const controller = { abort } as Dispatcher.DispatchController;
      handler.onResponseStart?.(controller, 200, {});
      for (let count = 0; count < pieces; count += 1) handler.onResponseData?.(controller, Buffer.alloc(bytes));
      handler.onResponseError?.(controller, error ?? new Error('the connection was closed'));
    };
    const pools = {
      acquire: () => ({ client: { dispatch }, steps: {} }),
      headersOf: (given: object) => given,
      release: () => undefined,
    } as unknown as HttpPools;
    const message = { origin: 'http://a.test', path: '/', headers: {}, body: Buffer.from('{}') };
    const { error } = await postMessage(pools, message, { bodyLimitBytes: 64 * 1024 });
    expect(describeFailure(error)).toBe(reason);
  });

  it('is sent again at once when an idle connection turns out to be closed', async () => {
    let connections = 0;
    const port = await startRawServer((socket) => {
      connections += 1;
      const isFirst = connections === 1;
      let requests = 0;
      socket.on('data', () => {
        requests += 1;
        if (isFirst && requests === 2) socket.end();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    });
    const pools = makePools();
    await post(pools, `http://a.test:${port}/`);
    await sleep(5);
    expect(await post(pools, `http://a.test:${port}/`)).toMatchObject({ status: 200, error: null });
    expect(connections).toBe(2);
  });

  const PROCESSING = 'HTTP/1.1 102 Processing\r\n\r\n';
  const HALF_A_LINE = 'HTTP/1.1 20';

  it.each(['', PROCESSING, HALF_A_LINE])(
    'is not sent again when a new connection is closed after %j',
    async (start) => {
      let requests = 0;
      const port = await startRawServer((socket) => {
        socket.on('data', () => {
          requests += 1;
          socket.end(start);
        });
      });
      const { error } = await post(makePools(), `http://a.test:${port}/`);
      expect(describeFailure(error)).toBe('Connection closed before the response was complete');
      expect(requests).toBe(1);
    },
  );

  it.each([
    ['after an informational response', PROCESSING, 0],
    ['after half a line of a response', HALF_A_LINE, 0],
    ['a second later', '', 1_000],
  ])('is not sent again when a kept connection is closed %s', async (_, start, afterMs) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let requests = 0;
    const port = await startRawServer((socket) => {
      socket.on('data', () => {
        requests += 1;
        vi.advanceTimersByTime(afterMs);
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        else socket.end(start);
      });
    });
    const pools = makePools();
    await post(pools, `http://a.test:${port}/`);
    vi.advanceTimersByTime(1);
    const { error } = await post(pools, `http://a.test:${port}/`);
    expect(describeFailure(error)).toBe('Connection closed before the response was complete');
    expect(requests).toBe(2);
  });
});

describe('a response', () => {
  it('is read up to its limit only', async () => {
    let written = 0;
    const receiver = await startReceiver((response) => {
      const write = () => {
        while (!response.destroyed && written < 200_000_000) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536, 'x'))) return response.once('drain', write);
        }
      };
      write();
    });
    const exchange = await post(makePools(), receiver.url);
    expect(exchange).toMatchObject({ status: 200, error: null });
    expect(exchange.body).toHaveLength(10_240);
    await sleep(50);
    expect(written).toBeLessThan(20_000_000);
  });

  it('must be complete within the timeout, however slowly it arrives', async () => {
    const receiver = await startReceiver((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const elapsedMs = startEventLoopClock();
    const exchange = await post(makePools(), receiver.url, { timeoutMs: 200 });
    expect(elapsedMs()).toBeLessThan(400);
    expect(exchange.status).toBe(200);
    expect(describeFailure(exchange.error)).toBe('No response within 15 s');
  });

  it('must be complete within the timeout when its headers arrive byte by byte', async () => {
    const port = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Drip: ');
      const timer = setInterval(() => socket.write('.'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const exchange = await post(makePools(), `http://a.test:${port}/`, { timeoutMs: 200 });
    expect(exchange.status).toBeNull();
    expect(describeFailure(exchange.error)).toBe('No response within 15 s');
  });

  it.each([
    ['one long header', `X-Long: ${'x'.repeat(20_000)}\r\n`],
    ['many short headers', 'X-Short: x\r\n'.repeat(4_000)],
  ])('with too much of %s is refused', async (_, headers) => {
    const port = await startRawServer((socket) => {
      socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\n${headers}Content-Length: 0\r\n\r\n`));
    });
    const { error } = await post(makePools(), `http://a.test:${port}/`);
    expect(describeFailure(error)).toBe('Response headers are too large');
  });

  it('that never begins times out, and its connection is closed', async () => {
    let closed = false;
    const receiver = await startReceiver((response) => {
      response.socket?.on('close', () => {
        closed = true;
      });
    });
    const exchange = await post(makePools(), receiver.url, { timeoutMs: 100 });
    expect(exchange).toMatchObject({ status: null, body: Buffer.alloc(0) });
    expect(describeFailure(exchange.error)).toBe('No response within 15 s');
    await waitFor('the connection to be closed', () => closed);
  });

  it('that is cut off counts as a failure', async () => {
    const receiver = await startReceiver((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half');
      setTimeout(() => response.socket?.resetAndDestroy(), 20);
    });
    const exchange = await post(makePools(), receiver.url);
    expect(exchange.status).toBe(200);
    expect(describeFailure(exchange.error)).toBe('Connection closed before the response was complete');
  });

  it('that is not HTTP fails with its own reason', async () => {
    const port = await startRawServer((socket) => socket.on('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n')));
    const { error } = await post(makePools(), `http://a.test:${port}/`);
    expect(describeFailure(error)).toBe('Response is not valid HTTP');
  });
});

const PUBLIC_ONLY = makeAddressPolicy([]);

describe('a connection', () => {
  it('that is refused fails with its own reason', async () => {
    const port = await startRawServer(() => undefined);
    await closeAll();
    const { error } = await post(makePools(), `http://a.test:${port}/`);
    expect(describeFailure(error)).toBe('Connection refused');
  });

  it('goes to the next vetted address when the first does not answer', async () => {
    const receiver = await startReceiver();
    const pools = makePools({ resolve: toAddress('127.0.0.99', '127.0.0.1') });
    expect(await post(pools, `http://a.test:${receiver.port}/`)).toMatchObject({ status: 200, error: null });
  });

  it('to an unknown name fails with its own reason', async () => {
    const unknown: ResolveHost = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const { error } = await post(makePools({ resolve: unknown }), 'http://nowhere.test/');
    expect(describeFailure(error)).toBe('Host name not found');
  });
});

describe('the time of an exchange', () => {
  /** Turns for which connections of the tenant wait so long: three of its receivers were costly. */
  const turnsAfter = (ms: number) => {
    for (const owner of ['other', 'tenant', 'other']) noteActive(owner);
    const turns = new ConnectionTurns();
    const costlyMs = 100 + ms * 0.02;
    turns.ofConnection({ tenant: 'tenant', origin: 'receiver.test:' }).count(0, costlyMs);
    for (const origin of ['a:1', 'b:1']) turns.ofConnection({ tenant: 'tenant', origin }).count(0, 0.001);
    return turns;
  };

  afterEach(() => void vi.useRealTimers());

  it('begins with the turn of its connection', async () => {
    const receiver = await startReceiver(respondWith(200, 'ok'));
    const url = `http://receiver.test:${receiver.port}/`;
    const exchange = await post(makePools({ turns: turnsAfter(1_200) }), url, { tenant: 'tenant', timeoutMs: 800 });
    expect(exchange).toMatchObject({ status: 200, error: null });
    expect(exchange.durationMs).toBeLessThanOrEqual(801);
    expect(exchange.timing.firstByteUs).toBeLessThanOrEqual(801_000);
  });

  it('ends at its timeout after the turn when the receiver does not answer', async () => {
    const receiver = await startReceiver(() => undefined);
    const url = `http://receiver.test:${receiver.port}/`;
    const exchange = await post(makePools({ turns: turnsAfter(1_200) }), url, { tenant: 'tenant', timeoutMs: 800 });
    expect(describeFailure(exchange.error)).toBe('No response within 15 s');
    expect(exchange.durationMs).toBeGreaterThanOrEqual(798);
  });

  it('ends without the fault of its receiver when no turn comes within five seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const settled = vi.fn();
    const posted = post(makePools({ turns: turnsAfter(15_000) }), 'http://receiver.test:9/', { tenant: 'tenant' });
    void posted.then(settled);
    await vi.advanceTimersByTimeAsync(TURN_TIMEOUT_MS - 10);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(settled).toHaveBeenCalledOnce();
    const { error, durationMs } = await posted;
    expect(error).toMatchObject({ code: 'NO_TURN' });
    expect(durationMs).toBeLessThan(20);
  });
});

describe('an address that is not allowed', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://0x7f000001:PORT/',
    'http://2130706433:PORT/',
    'http://017700000001:PORT/',
    'http://127.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://0.0.0.0:PORT/',
    'http://169.254.169.254/latest/meta-data/',
  ])('is refused in every notation: %s', async (url) => {
    const receiver = await startReceiver();
    const { error, status } = await post(
      makePools({ isAllowed: PUBLIC_ONLY }),
      url.replace('PORT', String(receiver.port)),
    );
    expect(describeFailure(error)).toBe('Address is not public');
    expect(status).toBeNull();
    expect(receiver.received).toHaveLength(0);
  });

  it('is refused when a name resolves to it', async () => {
    const receiver = await startReceiver();
    const { error } = await post(makePools({ isAllowed: PUBLIC_ONLY }), `http://local.test:${receiver.port}/`);
    expect(describeFailure(error)).toBe('Address is not public');
    expect(receiver.received).toHaveLength(0);
  });

  it('is refused when the other addresses of the name are public', async () => {
    const receiver = await startReceiver();
    const pools = makePools({ isAllowed: PUBLIC_ONLY, resolve: toAddress('1.1.1.1', '127.0.0.1') });
    const { error } = await post(pools, `http://mixed.test:${receiver.port}/`);
    expect(describeFailure(error)).toBe('Address is not public');
    expect(receiver.received).toHaveLength(0);
  });

  it('is tried if it is one of the first four of its family', async () => {
    const receiver = await startReceiver();
    const silent = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
    const to = (...addresses: string[]) =>
      post(makePools({ resolve: toAddress(...addresses) }), `http://some.test:${receiver.port}/`);
    expect(await to(...silent, '127.0.0.1')).toMatchObject({ status: 200, error: null });
    expect(describeFailure((await to(...silent, '127.0.0.5', '127.0.0.1')).error)).toBe('Connection refused');
  });

  it('is refused at the next connection when a name changes to it, and never reached by the open connection', async () => {
    const receiver = await startReceiver((response) => response.writeHead(200, { connection: 'close' }).end());
    const inside = makeAddressPolicy(['127.0.0.1/32']);
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let lookups = 0;
    const rebinding: ResolveHost = (hostname) => toAddress(...(answers[lookups++] ?? []))(hostname);
    const pools = makePools({ isAllowed: inside, resolve: rebinding });
    const url = `http://rebinding.test:${receiver.port}/`;
    expect(await post(pools, url)).toMatchObject({ status: 200 });
    const { error } = await post(pools, url);
    expect(describeFailure(error)).toBe('Address is not public');
    expect({ lookups, received: receiver.received.length }).toEqual({ lookups: 2, received: 1 });
  });

  it('is not reached when a resolver returns one address for the check and another for the connection', async () => {
    const receiver = await startReceiver();
    let lookups = 0;
    const resolve: ResolveHost = async () => {
      lookups += 1;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const pools = makePools({ resolve });
    await post(pools, `http://once.test:${receiver.port}/`);
    expect(lookups).toBe(1);
  });
});

const inAnHour = new Date(Date.now() + 3_600_000);

describe('a certificate', () => {
  it('is checked against the host name, although the connection goes to a vetted address', async () => {
    const { ca, port, names } = await startTlsReceiver('secure.test', inAnHour);
    expect(await post(makePools({ ca }), `https://secure.test:${port}/`)).toMatchObject({ status: 200, error: null });
    expect(names).toEqual(['secure.test']);
  });

  it.each([
    ['is self-signed', 'secure.test', inAnHour, false, 'TLS certificate is self-signed'],
    ['has expired', 'secure.test', new Date('2024-01-01'), true, 'TLS certificate expired'],
    ['is for another name', 'other.test', inAnHour, true, 'TLS certificate is for another host name'],
  ])('that %s is refused', async (_, hostname, validUntil, isTrusted, reason) => {
    const { ca, port, names } = await startTlsReceiver(hostname, validUntil);
    const { error } = await post(makePools({ ca: isTrusted ? ca : undefined }), `https://secure.test:${port}/`);
    expect(describeFailure(error)).toBe(reason);
    expect(names).toEqual([]);
  });

  it('is required of a receiver without TLS', async () => {
    const receiver = await startReceiver();
    const { error } = await post(makePools(), `https://plain.test:${receiver.port}/`);
    expect(describeFailure(error)).toBe('TLS handshake failed');
  });
});
