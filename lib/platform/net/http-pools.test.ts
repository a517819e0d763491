import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { makeAddressPolicy } from './address-policy';
import { postMessage } from './exchange';
import { describeFailure } from './failure-reason';
import { HttpPools } from './http-pools';
import type { ResolveHost } from './resolve-host';

const open: HttpPools[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.destroy()));
});

function makePools(resolve: ResolveHost, limits: { connectTimeoutMs?: number; maxIdle?: number } = {}) {
  const pools = new HttpPools({ isAllowed: makeAddressPolicy(['127.0.0.0/8']), resolve, ...limits });
  open.push(pools);
  return pools;
}

function post(pools: HttpPools, origin: string, options: { tenant?: string; signal?: AbortSignal } = {}) {
  const { tenant, signal } = options;
  const message = { origin, path: '/', headers: {}, body: Buffer.from('{}'), ...(tenant ? { tenant } : {}) };
  return postMessage(pools, message, { bodyLimitBytes: 100, ...(signal ? { signal } : {}) });
}

const here: ResolveHost = async () => [{ address: '127.0.0.1', family: 4 }];

describe('a lookup', () => {
  it('counts toward the tenant of its message, also when several messages connect at once', async () => {
    const { port } = await startReceiver();
    const tenants = new Map<string, string | undefined>();
    const pools = makePools(async (hostname, tenant) => {
      tenants.set(hostname, tenant);
      return [{ address: '127.0.0.1', family: 4 }];
    });
    await Promise.all([
      post(pools, `http://a.test:${port}`, { tenant: 'one' }),
      post(pools, `http://b.test:${port}`, { tenant: 'two' }),
      post(pools, `http://c.test:${port}`),
    ]);
    expect(Object.fromEntries(tenants)).toEqual({ 'a.test': 'one', 'b.test': 'two', 'c.test': undefined });
  });

  it('counts a reconnect toward the tenant that uses the connection now', async () => {
    const tenants: (string | undefined)[] = [];
    const receiver = await startReceiver((response) => response.writeHead(200, { connection: 'close' }).end());
    const pools = makePools(async (_, tenant) => {
      tenants.push(tenant);
      return [{ address: '127.0.0.1', family: 4 }];
    });
    for (const tenant of ['one', 'two']) await post(pools, `http://a.test:${receiver.port}`, { tenant });
    expect(tenants).toEqual(['one', 'two']);
  });

  it('is aborted with its connection', async () => {
    let signal: AbortSignal | undefined;
    const hanging: ResolveHost = (_, __, given) => {
      signal = given;
      return new Promise(() => undefined);
    };
    const { error } = await post(makePools(hanging, { connectTimeoutMs: 30 }), 'http://a.test');
    expect(describeFailure(error)).toBe('No connection within 5 s');
    await waitFor('the lookup to be abandoned', () => signal?.aborted === true);
  });

  it('is aborted with its message', async () => {
    let signal: AbortSignal | undefined;
    const hanging: ResolveHost = (_, __, given) => {
      signal = given;
      return new Promise(() => undefined);
    };
    const caller = new AbortController();
    const exchange = post(makePools(hanging), 'http://a.test', { signal: caller.signal });
    await waitFor('the lookup', () => signal !== undefined);
    caller.abort();
    expect(describeFailure((await exchange).error)).toBe('Canceled before the response was complete');
    await waitFor('the lookup to be abandoned', () => signal?.aborted === true);
  });
});

describe('a message whose caller aborts', () => {
  it('is canceled, and its connection is closed', async () => {
    let isClosed = false;
    const receiver = await startReceiver((response) => {
      response.socket?.on('close', () => {
        isClosed = true;
      });
    });
    const caller = new AbortController();
    const exchange = post(makePools(here), `http://a.test:${receiver.port}`, { signal: caller.signal });
    await waitFor('the message to arrive', () => receiver.received.length === 1);
    caller.abort();
    expect(describeFailure((await exchange).error)).toBe('Canceled before the response was complete');
    await waitFor('the connection to be closed', () => isClosed);
  });

  it('is not sent when the caller aborts before it begins', async () => {
    const receiver = await startReceiver();
    const { error } = await post(makePools(here), `http://a.test:${receiver.port}`, { signal: AbortSignal.abort() });
    expect(describeFailure(error)).toBe('Canceled before the response was complete');
    await sleep(20);
    expect(receiver.received).toHaveLength(0);
  });
});

describe('idle connections', () => {
  it('have one limit over all origins; the least recently used are closed', async () => {
    const closed = new Set<string>();
    const receiver = await startReceiver((response, _, { headers }) => {
      const host = headers.host ?? '';
      response.socket?.once('close', () => closed.add(host));
      response.end('ok');
    });
    const pools = makePools(here, { maxIdle: 10 });
    const origins = Array.from({ length: 30 }, (_, index) => `host-${index}.test:${receiver.port}`);
    for (const origin of origins) await post(pools, `http://${origin}`);
    await waitFor('the others to be closed', () => closed.size === 20);
    expect(pools.idleConnections).toBe(10);
    expect([...closed].sort()).toEqual(origins.slice(0, 20).sort());
  });

  it('to one origin count individually', async () => {
    const receiver = await startReceiver((response) => void setTimeout(() => response.end('ok'), 50));
    const pools = makePools(here, { maxIdle: 10 });
    await Promise.all(Array.from({ length: 30 }, () => post(pools, `http://a.test:${receiver.port}`)));
    expect(pools.idleConnections).toBe(10);
    await post(pools, `http://a.test:${receiver.port}`);
    expect(pools.idleConnections).toBe(10);
  });
});
