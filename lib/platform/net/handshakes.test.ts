import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { makeAuthority, makeCertificate } from '@/tests/http/certificate';
import { post, useExchanges } from '@/tests/http/exchange-pools';
import { describeFailure } from './failure-reason';
import { HandshakePace, LimitedSocket } from './limited-socket';

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

  it('with a long chain of certificates is accepted, and refused with one of more than 16 KiB', async () => {
    const chainOf = (count: number) => ({ cert: certificate.cert + `\n${authority.cert}`.repeat(count) });
    expect(await handshake(chainOf(10))).toBe(200);
    expect(await handshake(chainOf(60))).toBe('TLS handshake failed');
  });

  it('is refused when the receiver asks for another one without end', async () => {
    const helloRequest = Buffer.from('160303000400000000', 'hex');
    const port = await startRawServer((socket) => {
      const write = () => {
        while (socket.writable && socket.write(helloRequest));
      };
      socket.on('drain', write).once('data', write);
    });
    const { error } = await post(makePools(), `https://secure.test:${port}/`);
    expect(describeFailure(error)).toBe('TLS handshake failed');
  });
});

describe('the handshakes of a tenant', () => {
  it('wait when they took too long, and those of others do not', () => {
    const pace = new HandshakePace();
    pace.count('hostile', 150);
    expect(pace.restMs('hostile')).toBe(0);
    pace.count('hostile', 150);
    expect(pace.restMs('hostile')).toBeGreaterThan(1_000);
    expect(pace.restMs('hostile')).toBeLessThanOrEqual(5_000);
    expect(pace.restMs('other')).toBe(0);
  });

  it('count with what they take beyond four milliseconds of the processor', async () => {
    const counted: number[] = [];
    const pace = { restMs: () => 0, count: (_: string, ms: number) => counted.push(ms) } as unknown as HandshakePace;
    const port = await startRawServer((socket) => socket.end('x'));
    const limited = new LimitedSocket(connect(port, '127.0.0.1'), pace, 'tenant');
    const ended = once(limited, 'end');
    limited.once('data', () => {
      for (const end = performance.now() + 30; performance.now() < end; );
    });
    await ended;
    expect(counted[0]).toBeGreaterThan(4);
    expect(counted[0]).toBeLessThan(60);
  });

  it('continue after their rest, with every byte in order', async () => {
    const rests = [20, 5, 0];
    const pace = { restMs: () => rests.shift() ?? 0, count: () => undefined } as unknown as HandshakePace;
    const port = await startRawServer((socket) => {
      socket.write('one ');
      setTimeout(() => socket.end('two'), 5);
    });
    const limited = new LimitedSocket(connect(port, '127.0.0.1'), pace, 'tenant');
    const chunks: Buffer[] = [];
    for await (const chunk of limited) chunks.push(chunk);
    expect(rests).toEqual([]);
    expect(Buffer.concat(chunks).toString()).toBe('one two');
  });
});

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
