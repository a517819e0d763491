import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { post, useExchanges } from '@/tests/http/exchange-pools';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { describeFailure } from './failure-reason';
import type { HttpPools, PooledConnection } from './http-pools';
import type { ResolveHost } from './resolve-host';

const { makePools } = useExchanges();

describe('a lookup', () => {
  it('counts toward the tenant of its message, also when several messages connect at once', async () => {
    const { port } = await startReceiver();
    const tenants = new Map<string, string | undefined>();
    const pools = makePools({
      resolve: async (hostname, tenant) => {
        tenants.set(hostname, tenant);
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    await Promise.all([
      post(pools, `http://a.test:${port}`, { tenant: 'one' }),
      post(pools, `http://b.test:${port}`, { tenant: 'two' }),
      post(pools, `http://c.test:${port}`),
    ]);
    expect(Object.fromEntries(tenants)).toEqual({ 'a.test': 'one', 'b.test': 'two', 'c.test': '' });
  });

  it('counts a reconnect toward the tenant that uses the connection now', async () => {
    const tenants: (string | undefined)[] = [];
    const receiver = await startReceiver((response) => response.writeHead(200, { connection: 'close' }).end());
    const pools = makePools({
      resolve: async (_, tenant) => {
        tenants.push(tenant);
        return [{ address: '127.0.0.1', family: 4 }];
      },
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
    const { error } = await post(makePools({ resolve: hanging, connectTimeoutMs: 30 }), 'http://a.test');
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
    const exchange = post(makePools({ resolve: hanging }), 'http://a.test', { signal: caller.signal });
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
    const exchange = post(makePools(), `http://a.test:${receiver.port}`, { signal: caller.signal });
    await waitFor('the message to arrive', () => receiver.received.length === 1);
    caller.abort();
    expect(describeFailure((await exchange).error)).toBe('Canceled before the response was complete');
    await waitFor('the connection to be closed', () => isClosed);
  });

  it('is not sent when the caller aborts before it begins', async () => {
    const receiver = await startReceiver();
    const { error } = await post(makePools(), `http://a.test:${receiver.port}`, { signal: AbortSignal.abort() });
    expect(describeFailure(error)).toBe('Canceled before the response was complete');
    await sleep(20);
    expect(receiver.received).toHaveLength(0);
  });
});

describe('a connection', () => {
  it('carries the requests of one tenant, whose receiver may send surplus responses on it', async () => {
    const ports: (number | undefined)[] = [];
    const receiver = await startReceiver((response) => {
      ports.push(response.socket?.remotePort);
      response.end('ok');
    });
    const pools = makePools({});
    for (const tenant of ['one', 'two', 'one', 'two']) {
      await post(pools, `http://a.test:${receiver.port}`, { tenant });
    }
    expect(new Set(ports.slice(0, 2)).size).toBe(2);
    expect(ports.slice(2)).toEqual(ports.slice(0, 2));
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
    const pools = makePools({ maxIdle: 10 });
    const origins = Array.from({ length: 30 }, (_, index) => `host-${index}.test:${receiver.port}`);
    for (const origin of origins) await post(pools, `http://${origin}`);
    await waitFor('the others to be closed', () => closed.size === 20);
    expect(pools.idleConnections).toBe(10);
    expect([...closed].sort()).toEqual(origins.slice(0, 20).sort());
  });

  it('to one origin count individually', async () => {
    const receiver = await startReceiver((response) => void setTimeout(() => response.end('ok'), 50));
    const pools = makePools({ maxIdle: 10 });
    await Promise.all(Array.from({ length: 30 }, () => post(pools, `http://a.test:${receiver.port}`)));
    expect(pools.idleConnections).toBe(10);
    await post(pools, `http://a.test:${receiver.port}`);
    expect(pools.idleConnections).toBe(10);
  });

  it('have this limit also after one became too old, whose origin has none left', async () => {
    const receiver = await startReceiver(
      (response, index) => void setTimeout(() => response.end('ok'), index === 1 ? 500 : 0),
    );
    const pools = makePools({ maxIdle: 2 });
    const to = (host: string) => post(pools, `http://${host}.test:${receiver.port}`);
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await to('a');
    vi.advanceTimersByTime(61_000);
    const slow = to('a');
    await waitFor('the slow request', () => receiver.received.length === 2);
    for (const host of ['b', 'c', 'd']) await to(host);
    expect(pools.idleConnections).toBe(2);
    await slow;
  });
});

describe('idle connections of several tenants', () => {
  /** Makes connections idle that no receiver has accepted. */
  const leaveIdle = (pools: HttpPools, tenant: string, count: number, hosts = count) => {
    const target = (n: number) => ({ origin: `http://host-${n % hosts}.test`, path: '/' });
    const all = Array.from({ length: count }, (_, n) => pools.acquire(target(n), { tenant }));
    for (const connection of all) pools.release(connection, true);
    return all;
  };
  const closed = (all: PooledConnection[]) => all.filter(({ discarded }) => discarded.signal.aborted).length;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const closedPerTurn = async (all: PooledConnection[]) => {
    const counts: number[] = [];
    for (let before = closed(all); before < all.length; before += counts.at(-1) ?? 0) {
      await turn();
      counts.push(closed(all) - before);
    }
    return counts;
  };

  it('are taken from the tenant that has most when there are too many', async () => {
    const pools = makePools({ maxIdle: 10 });
    const few = leaveIdle(pools, 'few', 3);
    const many = leaveIdle(pools, 'many', 30);
    // Three of these are the same again.
    few.push(...leaveIdle(pools, 'few', 4));
    for (let count = 0; count < 5; count += 1) await turn();
    expect(pools.idleConnections).toBe(10);
    expect([closed(few), closed(many)]).toEqual([0, 24]);
  });

  it('are at most 200 of each while others have some, and up to a thousand of one that is alone', async () => {
    const pools = makePools();
    const many = leaveIdle(pools, 'many', 1_001);
    await turn();
    expect([pools.idleConnections, closed(many)]).toEqual([1_000, 1]);
    const few = leaveIdle(pools, 'few', 3);
    leaveIdle(pools, 'many', 1);
    expect([pools.idleConnections, closed(few)]).toEqual([203, 0]);
  });

  it('are closed a few in a turn of the event loop when all receivers closed theirs at once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const all = leaveIdle(makePools(), 'many', 90);
    vi.advanceTimersByTime(10_000);
    expect(await closedPerTurn(all)).toEqual([20, 20, 20, 20, 10]);
  });

  it('are closed a few in a turn of the event loop when all to one receiver became too old', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const pools = makePools();
    const all = leaveIdle(pools, 'many', 90, 1);
    vi.advanceTimersByTime(61_000);
    leaveIdle(pools, 'many', 1, 1);
    expect(await closedPerTurn(all)).toEqual([20, 20, 20, 20, 10]);
  });

  it('are closed with the pool, also those that wait for their turn', async () => {
    const pools = makePools({ maxIdle: 10 });
    const all = leaveIdle(pools, 'many', 90);
    await pools.destroy();
    expect(closed(all)).toBe(90);
  });
});
