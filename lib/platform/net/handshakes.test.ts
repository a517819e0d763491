import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createServer, type TlsOptions } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteActive } from '@/lib/platform/pace';
import { makeAuthority, makeCertificate } from '@/tests/http/certificate';
import { post, useExchanges } from '@/tests/http/exchange-pools';
import { ConnectionTurns, type TurnsOfConnection } from './connection-turns';
import { describeFailure } from './failure-reason';
import { LimitedSocket } from './limited-socket';

const { makePools, startRawServer, startTlsReceiver } = useExchanges();
const inAnHour = new Date(Date.now() + 3_600_000);

describe('a handshake', () => {
  const authority = makeAuthority('authority', inAnHour);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const certificate = makeCertificate('secure.test', inAnHour, authority, rsa);
  const handshake = async (options: TlsOptions) => {
    const { port } = await startTlsReceiver('secure.test', inAnHour, { ...certificate, ...options });
    const ca = authority.cert;
    const { status, error } = await post(makePools({ ca }), `https://secure.test:${port}/`);
    return error === null ? status : describeFailure(error);
  };

  it.each<[string, TlsOptions]>([
    ['an elliptic curve and TLS 1.2', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' }],
    ['P-256 and TLS 1.3', { minVersion: 'TLSv1.3', ecdhCurve: 'P-256' }],
    ['P-521 and TLS 1.3', { minVersion: 'TLSv1.3', ecdhCurve: 'P-521' }],
  ])('with %s is accepted', async (_, options) => {
    expect(await handshake(options)).toBe(200);
  });

  it.each<[string, TlsOptions]>([
    [
      'Diffie-Hellman in a finite field and TLS 1.2',
      { maxVersion: 'TLSv1.2', ciphers: 'DHE-RSA-AES128-GCM-SHA256', dhparam: 'auto' },
    ],
    ['Diffie-Hellman in a finite field and TLS 1.3', { minVersion: 'TLSv1.3', ecdhCurve: 'ffdhe8192' }],
  ])('with %s, whose cost the receiver chooses, is refused', async (_, options) => {
    expect(await handshake(options)).toBe('TLS handshake failed');
  });

  it('with a long chain of certificates is accepted, and refused with one of more than 10 KiB', async () => {
    const chainOf = (count: number) => ({ cert: certificate.cert + `\n${authority.cert}`.repeat(count) });
    expect(await handshake(chainOf(10))).toBe(200);
    expect(await handshake(chainOf(40))).toBe('TLS handshake failed');
  });

  it('is refused when the receiver asks for another one without end', async () => {
    const helloRequest = Buffer.from('160303000400000000', 'hex');
    const port = await startRawServer((socket) => {
      const write = () => {
        while (socket.writable && socket.write(helloRequest));
      };
      socket.on('drain', write).once('data', write);
    });
    const { error } = await post(makePools({ connectTimeoutMs: 30_000 }), `https://secure.test:${port}/`);
    expect(describeFailure(error)).toBe('TLS handshake failed');
  });
});

describe('the connections of a tenant', () => {
  const to = (turns: ConnectionTurns, tenant: string, origin = 'a.test:443') => turns.ofConnection({ tenant, origin });
  const enter = (turns: ConnectionTurns, tenant: string, origin?: string) => {
    const resume = vi.fn();
    to(turns, tenant, origin).enter({ resume, isGone: () => false });
    return resume;
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'setImmediate'] });
    for (const owner of ['other', 'tenant', 'other']) noteActive(owner);
  });
  afterEach(() => void vi.useRealTimers());

  it('wait when one was costly twice, and those of others do not', () => {
    const turns = new ConnectionTurns();
    to(turns, 'tenant').count(50, 46);
    vi.advanceTimersByTime(10);
    expect(enter(turns, 'tenant')).toHaveBeenCalledOnce();
    to(turns, 'tenant').count(70, 66);
    const waiting = enter(turns, 'tenant');
    vi.advanceTimersByTime(60);
    expect(enter(turns, 'other')).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200);
    // They wait apart from the others, who start at once.
    expect(waiting).not.toHaveBeenCalled();
    expect(enter(turns, 'other')).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(2_000);
    expect(waiting).toHaveBeenCalledOnce();
  });

  it('to an origin that was costly wait, and those to its other origins do not', () => {
    const turns = new ConnectionTurns();
    to(turns, 'tenant', 'evil.test:80').count(50, 150);
    const waiting = Array.from({ length: 20 }, () => enter(turns, 'tenant', 'evil.test:80'));
    vi.advanceTimersByTime(10);
    expect(enter(turns, 'tenant', 'good.test:80')).toHaveBeenCalledOnce();
    expect(waiting[0]).not.toHaveBeenCalled();
    vi.advanceTimersByTime(6_000);
    for (const resume of waiting) expect(resume).toHaveBeenCalledOnce();
  });

  it('wait to any origin once three were costly, and those of others do not', () => {
    const turns = new ConnectionTurns();
    const makeCostly = (origin: string) => to(turns, 'tenant', origin).count(1, 130);
    for (const origin of ['a', 'b']) makeCostly(origin);
    expect(enter(turns, 'tenant', 'fresh 1')).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(10);
    makeCostly('c');
    const waiting = ['fresh 2', 'fresh 3'].map((origin) => enter(turns, 'tenant', origin));
    vi.advanceTimersByTime(10);
    expect(waiting.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    expect(enter(turns, 'other', 'fresh 2')).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(30_000);
    for (const resume of waiting) expect(resume).toHaveBeenCalledOnce();
  });

  it('pay for all that is costly, however much it is: 20 ms a second of a tenant, and 40 ms of all together', () => {
    const turns = new ConnectionTurns();
    const served: number[] = [];
    const wait = (tenant: string, origin: string) => {
      const connection = to(turns, tenant, origin);
      const resume = () => {
        served.push(performance.now());
        connection.count(1, 130);
      };
      connection.enter({ resume, isGone: () => false });
    };
    const tenants = Array.from({ length: 8 }, (_, index) => `evil ${index}`);
    for (const tenant of tenants) for (let nth = 0; nth < 60; nth += 1) wait(tenant, `${nth}`);
    vi.advanceTimersByTime(60_000);
    const begun = served.length;
    vi.advanceTimersByTime(60_000);
    // 60 s at 40 ms, and a further origin of each tenant.
    expect(served.length - begun).toBeLessThanOrEqual((60 * 40) / 130 + tenants.length + 1);
    expect(served.length - begun).toBeGreaterThan(10);
  });

  it('do not wait for the costly ones of other tenants, though one of their own was costly by accident', () => {
    const turns = new ConnectionTurns();
    to(turns, 'tenant').count(10, 6);
    for (let owner = 0; owner < 10; owner += 1) {
      for (let response = 0; response < 3; response += 1) to(turns, `evil ${owner}`).count(1, 50);
    }
    vi.advanceTimersByTime(100);
    const waiting = enter(turns, 'evil 0');
    const goOn = vi.fn();
    to(turns, 'tenant').enter({ resume: goOn, isGone: () => false });
    expect([goOn.mock.calls.length, waiting.mock.calls.length]).toEqual([1, 0]);
  });

  it('to several costly origins take turns', () => {
    const turns = new ConnectionTurns();
    const served: string[] = [];
    const wait = (origin: string) => {
      const connection = to(turns, 'tenant', origin);
      const resume = () => {
        served.push(origin);
        connection.count(1, 1);
      };
      connection.enter({ resume, isGone: () => false });
    };
    for (const origin of ['evil', 'slow']) to(turns, 'tenant', origin).count(150, 150);
    for (let count = 0; count < 20; count += 1) wait('evil');
    wait('slow');
    vi.advanceTimersByTime(30_000);
    expect(served).toHaveLength(21);
    expect(served.indexOf('slow')).toBeLessThan(3);
  });

  it('of whoever has used least come first, also when others use all of the time that they share', () => {
    const turns = new ConnectionTurns();
    const served: string[] = [];
    const wait = (tenant: string, origin?: string) => {
      const connection = to(turns, tenant, origin);
      const resume = () => {
        served.push(tenant);
        connection.count(2, 0);
      };
      connection.enter({ resume, isGone: () => false });
    };
    for (const tenant of ['busy 1', 'busy 2', 'busy 3']) {
      to(turns, tenant).count(50, 0);
      for (let count = 0; count < 20; count += 1) wait(tenant, `${count % 5}.test:80`);
    }
    wait('other');
    vi.advanceTimersByTime(400);
    expect(served[0]).toBe('other');
    wait('other');
    vi.advanceTimersByTime(20);
    expect(served.slice(-3)).toContain('other');
    vi.advanceTimersByTime(1_000);
    expect(served).toHaveLength(62);
  });

  it('to the origin that has used least come first, and those of others that have used the same take turns', () => {
    const turns = new ConnectionTurns();
    const served: string[] = [];
    const wait = (origin: string) => {
      const connection = to(turns, 'tenant', origin);
      const resume = () => {
        served.push(origin);
        connection.count(2, 0);
      };
      connection.enter({ resume, isGone: () => false });
    };
    for (const origin of ['heavy 1', 'heavy 2']) to(turns, 'tenant', origin).count(150, 0);
    for (let count = 0; count < 20; count += 1) wait('heavy 1');
    for (let count = 0; count < 20; count += 1) wait('heavy 2');
    wait('light');
    for (let passed = 0; passed < 3_000; passed += 100) {
      for (const owner of ['other', 'tenant']) noteActive(owner);
      vi.advanceTimersByTime(100);
    }
    expect(served[0]).toBe('light');
    expect(served.slice(1, 11).filter((origin) => origin === 'heavy 1')).toHaveLength(5);
    expect(served).toHaveLength(41);
  });

  it('know how long they waited, which is no fault of the receiver', () => {
    const turns = new ConnectionTurns();
    const ofConnection = to(turns, 'tenant');
    ofConnection.enter({ resume: () => undefined, isGone: () => false });
    expect(ofConnection.waitedMs).toBe(0);
    to(turns, 'tenant').count(50, 100 + 20);
    const resume = vi.fn();
    ofConnection.enter({ resume, isGone: () => false });
    vi.advanceTimersByTime(900);
    expect([ofConnection.waitedMs, resume.mock.calls.length]).toEqual([900, 0]);
    vi.advanceTimersByTime(5_000);
    expect(ofConnection.waitedMs).toBeLessThan(1_100);
    expect(resume).toHaveBeenCalledOnce();
  });

  it('wait when they take more than 250 ms in a second, unless the tenant is alone', () => {
    const busy = () => {
      const turns = new ConnectionTurns();
      for (let step = 0; step < 12; step += 1) {
        to(turns, 'tenant').count(25, 0);
        vi.advanceTimersByTime(100);
        noteActive('tenant');
      }
      return turns;
    };
    noteActive('other');
    const turns = busy();
    noteActive('other');
    expect(enter(turns, 'tenant')).not.toHaveBeenCalled();
    expect(enter(turns, 'other')).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(1_100);
    expect(enter(busy(), 'tenant')).toHaveBeenCalledOnce();
  });

  it('take five milliseconds of a pass of the event loop, also when the tenant is alone', () => {
    vi.advanceTimersByTime(2_000);
    const turns = new ConnectionTurns();
    const served: number[] = [];
    for (let nth = 0; nth < 20; nth += 1) {
      const resume = () => {
        served.push(nth);
        to(turns, 'tenant').count(1, 0);
      };
      to(turns, 'tenant').enter({ resume, isGone: () => false });
    }
    expect(served).toEqual([0, 1, 2, 3, 4]);
    vi.advanceTimersByTime(5);
    expect(served).toHaveLength(20);
  });

  it('take five milliseconds of a pass also when the search for the next one does, and all have their turn', () => {
    const turns = new ConnectionTurns();
    to(turns, 'tenant').count(50, 150);
    let searched = 0;
    const isGone = () => {
      searched += 1;
      return true;
    };
    for (let nth = 0; nth < 100; nth += 1) to(turns, 'tenant').enter({ resume: () => undefined, isGone });
    const base = performance.now();
    let steps = 0;
    // Each look at the clock takes a tenth of a millisecond.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => base + 5_000 + steps++ / 10);
    while (searched === 0) vi.advanceTimersToNextTimer();
    expect(searched).toBeLessThan(50);
    clock.mockRestore();
    vi.advanceTimersByTime(10_000);
    expect(searched).toBe(100);
  });

  it('take turns with those of many tenants, and leave time for other work', () => {
    const turns = new ConnectionTurns();
    const served: string[] = [];
    const wait = (tenant: string, ms: number, isGone = false) => {
      const resume = () => {
        served.push(tenant);
        to(turns, tenant).count(ms, ms - 4);
      };
      to(turns, tenant).enter({ resume, isGone: () => isGone });
    };
    for (let count = 0; count < 400; count += 1) wait(`t${count % 100}`, 10);
    wait('gone', 1, true);
    wait('honest', 1);
    for (let passed = 0; passed < 6_000; passed += 100) {
      for (const owner of ['other', 'tenant']) noteActive(owner);
      vi.advanceTimersByTime(100);
    }
    expect(served).not.toContain('gone');
    expect(served).toContain('honest');
    expect(served.length).toBeLessThan(200);
  });
});

describe('what a connection has read', () => {
  const withoutTurns = () => ({ enter: ({ resume }: { resume(): void }) => resume(), count: vi.fn() });
  const limit = (port: number, turns: object) =>
    new LimitedSocket(connect(port, '127.0.0.1'), turns as TurnsOfConnection);

  it('is passed on in its turn, with every byte in order', async () => {
    const enter = ({ resume }: { resume(): void }) => void setTimeout(resume, 10);
    const port = await startRawServer((socket) => {
      socket.write('one ');
      setTimeout(() => socket.end('two'), 5);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of limit(port, { ...withoutTurns(), enter })) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('one two');
  });

  it('counts with the time of a handshake, and with what a response takes beyond four milliseconds', async () => {
    const turns = withoutTurns();
    const port = await startRawServer((socket) => {
      socket.write('handshake');
      socket.on('data', (data) => socket.write(data));
    });
    const limited = limit(port, turns);
    const work = async (ms: number) => {
      await once(limited, 'data');
      for (const end = performance.now() + ms; performance.now() < end; );
    };
    await work(0);
    await setImmediate();
    expect(turns.count).toHaveBeenCalledOnce();
    limited.allow(1_000);
    limited.write('short');
    await work(0);
    await setImmediate();
    expect(turns.count).toHaveBeenCalledOnce();
    limited.once('data', () => {
      for (const end = performance.now() + 40; performance.now() < end; );
    });
    limited.write('long');
    await once(limited, 'data');
    await setImmediate();
    expect(turns.count).toHaveBeenLastCalledWith(expect.any(Number), expect.any(Number));
    limited.destroy();
  });

  it('ends without an error after the handshake, when the receiver resets the connection', async () => {
    const port = await startRawServer((socket) => {
      socket.write('handshake');
      socket.on('data', () => socket.resetAndDestroy());
    });
    const limited = limit(port, withoutTurns());
    const failed = vi.fn();
    limited.on('error', failed);
    await once(limited, 'data');
    limited.allow(1_000);
    limited.write('x');
    limited.resume();
    await once(limited, 'close');
    expect(failed).not.toHaveBeenCalled();
  });
});

it('receivers that reset connections after the handshake end their exchanges, and nothing else', async () => {
  const { key, cert } = makeCertificate('secure.test', inAnHour);
  const server = createServer({ key, cert, maxVersion: 'TLSv1.2' }, (socket) => {
    socket.on('error', () => undefined);
    setTimeout(() => raw.get(socket.remotePort)?.resetAndDestroy(), 1);
  });
  const raw = new Map<number | undefined, Socket>();
  server.on('connection', (socket: Socket) => raw.set(socket.remotePort, socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const pools = makePools({ ca: cert });
  for (let round = 0; round < 8; round += 1) {
    const posts = Array.from({ length: 30 }, () => post(pools, `https://secure.test:${port}/`));
    for (const { error } of await Promise.all(posts)) expect(error).not.toBeNull();
  }
  await new Promise((resolve) => server.close(resolve));
}, 20_000);

it('a response over TLS fails when it takes more of the connection than any may', async () => {
  const piece = 'a: b\r\n'.repeat(1_000);
  const { ca, port } = await startTlsReceiver('secure.test', inAnHour, {}, ({ socket }) => {
    const write = () => {
      while (socket?.writable && socket.write(piece));
    };
    socket?.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n');
    socket?.on('drain', write);
    write();
  });
  const { error } = await post(makePools({ ca }), `https://secure.test:${port}/`);
  expect(error).not.toBeNull();
});
