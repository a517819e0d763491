import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LOCAL, post, toAddress, useExchanges } from '@/tests/http/exchange-pools';
import { respondWith, startReceiver } from '@/tests/http/receiver';
import type { ResolveHost } from './resolve-host';

const { makePools, startRawServer, startTlsReceiver } = useExchanges();

/** Resolves every name to this machine after 30 ms. */
const slowly: ResolveHost = async () => {
  await sleep(30);
  return [{ address: '127.0.0.1', family: 4 }];
};

describe('the timing of an exchange', () => {
  it('has the lookup and the connecting of a new connection, and the address of its peer', async () => {
    const receiver = await startReceiver((response) => void setTimeout(() => response.end('ok'), 40));
    const { timing, remoteAddress, durationMs } = await post(
      makePools({ resolve: slowly }),
      `http://receiver.test:${receiver.port}/`,
    );
    expect(timing).toEqual({
      dnsUs: expect.any(Number),
      connectUs: expect.any(Number),
      tlsUs: null,
      firstByteUs: expect.any(Number),
    });
    expect(timing.dnsUs).toBeGreaterThanOrEqual(25_000);
    expect(timing.firstByteUs).toBeGreaterThanOrEqual(60_000);
    expect((timing.firstByteUs ?? 0) / 1000).toBeLessThanOrEqual(durationMs + 1);
    expect(remoteAddress).toBe(`127.0.0.1:${receiver.port}`);
  });

  it('has neither lookup nor connecting on an open connection, and the same peer', async () => {
    const receiver = await startReceiver(respondWith(200, 'ok'));
    const pools = makePools({ resolve: slowly });
    const first = await post(pools, `http://receiver.test:${receiver.port}/`);
    await sleep(5);
    const { timing, remoteAddress } = await post(pools, `http://receiver.test:${receiver.port}/`);
    expect(timing).toEqual({ dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: expect.any(Number) });
    expect(remoteAddress).toBe(first.remoteAddress);
  });

  it('has no lookup for an IP address', async () => {
    const receiver = await startReceiver();
    const { timing } = await post(makePools(), receiver.url);
    expect(timing).toMatchObject({ dnsUs: null, connectUs: expect.any(Number) });
  });

  it('has the TLS handshake', async () => {
    const { ca, port } = await startTlsReceiver('secure.test', new Date(Date.now() + 3_600_000));
    const trusted = await post(makePools({ resolve: slowly, ca }), `https://secure.test:${port}/`);
    expect(trusted).toMatchObject({ status: 200, remoteAddress: `127.0.0.1:${port}` });
    for (const us of Object.values(trusted.timing)) expect(us).toBeGreaterThan(0);
    const refused = await post(makePools({ resolve: slowly }), `https://secure.test:${port}/`);
    expect(refused.error).not.toBeNull();
    expect(refused.timing).toMatchObject({ tlsUs: expect.any(Number), firstByteUs: null });
  });

  it('ends with the step that failed', async () => {
    const unknown: ResolveHost = async () => {
      await sleep(20);
      throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    };
    const noName = await post(makePools({ resolve: unknown }), 'http://unknown.test/');
    expect(noName).toMatchObject({ remoteAddress: null, timing: { connectUs: null, tlsUs: null, firstByteUs: null } });
    expect(noName.timing.dnsUs).toBeGreaterThanOrEqual(15_000);
    const silent = await startRawServer(() => undefined);
    const noResponse = await post(makePools({ resolve: slowly }), `http://silent.test:${silent}/`, { timeoutMs: 150 });
    expect(noResponse).toMatchObject({
      remoteAddress: `127.0.0.1:${silent}`,
      timing: { dnsUs: expect.any(Number), connectUs: expect.any(Number), firstByteUs: null },
    });
    const reset = await startRawServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await post(makePools(), `http://reset.test:${reset}/`)).toMatchObject({
      headers: null,
      timing: { connectUs: expect.any(Number), firstByteUs: null },
    });
  });
});

describe('the address of a peer', () => {
  it('is not noted when the policy refuses it', async () => {
    const { remoteAddress } = await post(makePools({ isAllowed: () => false }), 'http://127.0.0.1:9/');
    expect(remoteAddress).toBeNull();
    const looked = await post(
      makePools({ isAllowed: () => false, resolve: toAddress('10.0.0.1') }),
      'http://inside.test/',
    );
    expect(looked).toMatchObject({ remoteAddress: null, timing: { connectUs: null } });
  });

  it('is not noted where an exemption allows it, since it is inside the deployment', async () => {
    const receiver = await startReceiver();
    const exemption = { covers: () => true, isAllowed: LOCAL };
    const pools = makePools({ isAllowed: () => false, exemption });
    expect(await post(pools, receiver.url)).toMatchObject({ status: 200, remoteAddress: null });
  });
});
