import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '@/tests/http/certificate';
import { startReceiver } from '@/tests/http/receiver';
import { makeAddressPolicy } from './address-policy';
import { postMessage } from './exchange';
import { describeFailure } from './failure-reason';
import { HttpPools } from './http-pools';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function post(url: string, ca?: string) {
  const isAllowed = makeAddressPolicy(['127.0.0.0/8']);
  const pools = new HttpPools({ isAllowed, resolve: async () => [{ address: '127.0.0.1', family: 4 }], ca });
  open.push(() => pools.destroy());
  const { origin, pathname } = new URL(url);
  return postMessage(pools, { origin, path: pathname, headers: {}, body: Buffer.from('{}') }, { bodyLimitBytes: 100 });
}

describe('a certificate', () => {
  const inAnHour = new Date(Date.now() + 3_600_000);

  async function startTlsReceiver(hostname: string, validUntil: Date) {
    const certificate = makeCertificate(hostname, validUntil);
    const names: unknown[] = [];
    const server = createServer(certificate, (request, response) => {
      names.push((request.socket as { servername?: unknown }).servername);
      response.end('secure');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(() => new Promise((resolve) => server.close(resolve)));
    return { ca: certificate.cert, port: (server.address() as AddressInfo).port, names };
  }

  it('is checked against the host name, although the connection goes to a vetted address', async () => {
    const { ca, port, names } = await startTlsReceiver('secure.test', inAnHour);
    expect(await post(`https://secure.test:${port}/`, ca)).toMatchObject({ status: 200, error: null });
    expect(names).toEqual(['secure.test']);
  });

  it.each([
    ['is self-signed', 'secure.test', inAnHour, false, 'TLS certificate is self-signed'],
    ['has expired', 'secure.test', new Date('2024-01-01'), true, 'TLS certificate expired'],
    ['is for another name', 'other.test', inAnHour, true, 'TLS certificate is for another host name'],
  ])('that %s is refused', async (_, hostname, validUntil, isTrusted, reason) => {
    const { ca, port, names } = await startTlsReceiver(hostname, validUntil);
    const { error } = await post(`https://secure.test:${port}/`, isTrusted ? ca : undefined);
    expect(describeFailure(error)).toBe(reason);
    expect(names).toEqual([]);
  });

  it('is required of a receiver without TLS', async () => {
    const receiver = await startReceiver();
    const { error } = await post(`https://plain.test:${receiver.port}/`);
    expect(describeFailure(error)).toBe('TLS handshake failed');
  });
});
