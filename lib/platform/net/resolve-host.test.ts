import type { LookupAddress } from 'node:dns';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeFailure, ExchangeError, MAX_ADDRESSES } from './failure-reason';
import { makeResolver, type ResolveHost, systemResolver } from './resolve-host';
import { SYSTEM_LOOKUPS } from './system-lookup';

const ADDRESS: LookupAddress[] = [{ address: '1.1.1.1', family: 4 }];

const addresses = (count: number): LookupAddress[] =>
  Array.from({ length: count }, (_, n) => ({ address: `127.1.${n >> 8}.${n & 255}`, family: 4 }));

const failWith = (code: string): ResolveHost => {
  return () => Promise.reject(Object.assign(new Error('no'), { code }));
};

const unknown = failWith('ENOTFOUND');
const reasonOf = (lookup: Promise<unknown>) => lookup.then(() => 'found', describeFailure);
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

/** A resolver that answers names that begin with `dead` only when the lookup is aborted. */
function makeHanging(answer: ResolveHost) {
  const asked: string[] = [];
  let underWay = 0;
  const resolve: ResolveHost = (hostname, tenant, signal) => {
    asked.push(hostname);
    if (!hostname.startsWith('dead')) return answer(hostname, tenant, signal);
    underWay += 1;
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        underWay -= 1;
        reject(new Error('canceled'));
      });
    });
  };
  return { resolve, asked, underWay: () => underWay };
}

/** getaddrinfo on a silent name server: nothing ends it before its time. */
function makeDeaf(answer: ResolveHost) {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const resolve: ResolveHost = (hostname) => {
    asked.push(hostname);
    if (!hostname.startsWith('dead')) return answer(hostname);
    return new Promise((_, reject) => ends.push(() => reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' }))));
  };
  return { resolve, asked, underWay: () => ends.length, endOne: () => ends.shift()?.() };
}

describe('resolving a host', () => {
  it('asks the system, which reads the hosts file, whenever a slot is free', async () => {
    const resolve = makeResolver({ system: async () => ADDRESS, direct: unknown });
    expect(await resolve('from-the-hosts-file.example')).toEqual(ADDRESS);
  });

  it('asks DNS directly while the system resolver is busy for the same tenant', async () => {
    const system = makeDeaf(async () => ADDRESS);
    const resolve = makeResolver({ system: system.resolve, direct: async () => ADDRESS });
    void resolve('dead-1.example').catch(() => undefined);
    expect(await resolve('healthy.example')).toEqual(ADDRESS);
    expect(system.asked).toEqual(['dead-1.example']);
  });

  it('waits for the system when DNS does not know the name', async () => {
    const open: (() => void)[] = [];
    const system: ResolveHost = () => new Promise((resolve) => open.push(() => resolve(ADDRESS)));
    const resolve = makeResolver({ system, direct: unknown });
    const all = Promise.all(['first', 'second', 'local-only'].map((name) => resolve(name)));
    await settled();
    expect(open).toHaveLength(2);
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      next();
      await settled();
    }
    expect(await all).toEqual([ADDRESS, ADDRESS, ADDRESS]);
  });

  it('does not use the slots for names unknown to DNS when the DNS server is silent', async () => {
    const system = makeDeaf(unknown);
    const resolve = makeResolver({ system: system.resolve, direct: failWith('ETIMEOUT'), deadlineMs: 30 });
    const lookups = ['dead-1.example', 'dead-2.example'].map((name) => reasonOf(resolve(name)));
    expect(await Promise.all(lookups)).toEqual(Array(2).fill('DNS lookup failed: no answer within 4 s'));
    expect(system.asked).toEqual(['dead-1.example']);
  });

  it('queues for the system while DNS is silent, and then stops asking DNS', async () => {
    const system = makeDeaf(async () => ADDRESS);
    let isCanceled = false;
    const silent: ResolveHost = (_, __, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          isCanceled = true;
          reject(Object.assign(new Error('canceled'), { code: 'ECANCELLED' }));
        });
      });
    const resolve = makeResolver({ system: system.resolve, direct: silent });
    void resolve('dead-1.example').catch(() => undefined);
    const found = resolve('from-the-hosts-file.example');
    await settled();
    expect(system.asked).toEqual(['dead-1.example']);
    system.endOne();
    expect(await found).toEqual(ADDRESS);
    expect(isCanceled).toBe(true);
  });

  it('fails with the reason of the system, which is asked last', async () => {
    const system = makeDeaf(unknown);
    const resolve = makeResolver({ system: system.resolve, direct: unknown });
    void resolve('dead-1.example').catch(() => undefined);
    expect(await reasonOf(resolve('nowhere.example'))).toBe('Host name not found');
  });

  it('shares a result among simultaneous lookups of one tenant, and caches nothing', async () => {
    let lookups = 0;
    const system: ResolveHost = async () => {
      lookups += 1;
      return ADDRESS;
    };
    const resolve = makeResolver({ system, direct: unknown });
    await Promise.all([resolve('a', 'one'), resolve('a', 'one'), resolve('a', 'one')]);
    expect(lookups).toBe(1);
    await resolve('a', 'one');
    expect(lookups).toBe(2);
    await Promise.all([resolve('a', 'one'), resolve('a', 'two')]);
    expect(lookups).toBe(4);
  });

  it('refuses a name with more than 64 addresses, and does not ask for it again for its tenant for some minutes', async () => {
    const asked: string[] = [];
    const system: ResolveHost = async (hostname) => {
      asked.push(hostname);
      return addresses(hostname === 'many.example' ? MAX_ADDRESSES + 1 : MAX_ADDRESSES);
    };
    const resolve = makeResolver({ system, direct: unknown });
    const reason = 'Host name has more than 64 addresses';
    expect(await reasonOf(resolve('many.example', 'one'))).toBe(reason);
    expect(await reasonOf(resolve('many.example', 'one'))).toBe(reason);
    expect(await resolve('enough.example', 'one')).toHaveLength(64);
    expect(asked).toEqual(['many.example', 'enough.example']);
    expect(await reasonOf(resolve('many.example', 'another'))).toBe(reason);
    expect(asked).toHaveLength(3);
  });

  it('lets the slot of a tenant rest after names with too many addresses; others use it, and DNS answers meanwhile', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const asked: string[] = [];
    const system: ResolveHost = async (hostname) => {
      asked.push(hostname);
      return hostname.startsWith('many') ? addresses(4_000) : ADDRESS;
    };
    const direct: ResolveHost = (hostname) =>
      hostname.startsWith('many') ? unknown(hostname) : Promise.resolve(ADDRESS);
    const resolve = makeResolver({ system, direct, deadlineMs: 3_000 });
    const hostile = Array.from({ length: 16 }, (_, n) => reasonOf(resolve(`many-${n}.example`, 'hostile')));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(3);
    expect(await resolve('local-only', 'honest')).toEqual(ADDRESS);
    expect(asked).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(new Set(await Promise.all(hostile)).size).toBe(2);
    expect(await resolve('known-to-dns', 'hostile')).toEqual(ADDRESS);
    expect(asked).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(57_000);
    expect(await resolve('local-only', 'hostile')).toEqual(ADDRESS);
    expect(asked).toHaveLength(5);
  });

  it('lets the slot of a tenant rest after names on silent servers, and remembers none of them', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const asked: string[] = [];
    const system: ResolveHost = async (hostname) => {
      asked.push(hostname);
      if (hostname.startsWith('dead')) throw new ExchangeError('LOOKUP_TIMEOUT');
      return ADDRESS;
    };
    const resolve = makeResolver({ system, direct: unknown, deadlineMs: 120_000 });
    for (const name of ['dead-1', 'dead-2', 'dead-3']) await reasonOf(resolve(name, 'hostile'));
    expect(asked).toEqual(['dead-1', 'dead-2', 'dead-3']);
    const again = resolve('dead-1', 'hostile').catch(() => undefined);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(asked).toHaveLength(3);
    expect(await resolve('local-only', 'honest')).toEqual(ADDRESS);
    await vi.advanceTimersByTimeAsync(2_000);
    await again;
    expect(asked).toEqual(['dead-1', 'dead-2', 'dead-3', 'local-only', 'dead-1']);
  });

  it('resolves the name of this machine', async () => {
    const addresses = await systemResolver()('localhost');
    expect(addresses.map(({ address }) => address)).toContain('127.0.0.1');
  });
});

describe('a tenant with a thousand hanging lookups', () => {
  const limits = { width: 40, widthPerTenant: 8, waiting: 200, waitingPerTenant: 50 };
  const names = Array.from({ length: 1000 }, (_, index) => `dead-${index}.example`);

  it('gets its share of running and waiting lookups; the others fail at once with a clear reason', async () => {
    const system = makeDeaf(unknown);
    const direct = makeHanging(unknown);
    const resolve = makeResolver({ system: system.resolve, direct: direct.resolve, limits });
    const reasons: string[] = [];
    for (const name of names) void reasonOf(resolve(name, 'hostile')).then((reason) => reasons.push(reason));
    await settled();
    expect(system.underWay() + direct.underWay()).toBe(8);
    expect(reasons).toHaveLength(1000 - 8 - 50);
    expect(new Set(reasons)).toEqual(new Set(['DNS lookup failed: too many lookups are waiting']));
  });

  it('does not prevent another tenant from resolving a name in the hosts file', async () => {
    // Its name servers deny the name to DNS and are silent to the system: the worst that they can do.
    const system = makeDeaf(async () => ADDRESS);
    const resolve = makeResolver({ system: system.resolve, direct: unknown, limits, slots: 2 });
    for (const name of names) void resolve(name, 'hostile').catch(() => undefined);
    await settled();
    expect(system.underWay()).toBe(2);
    expect(await resolve('local-only', 'victim')).toEqual(ADDRESS);
    expect(system.underWay()).toBe(2);
  });

  it('delays another tenant by one system lookup with the smallest number of slots', async () => {
    const system = makeDeaf(async () => ADDRESS);
    const resolve = makeResolver({ system: system.resolve, direct: unknown, limits, slots: 1 });
    for (const name of names) void resolve(name, 'hostile').catch(() => undefined);
    await settled();
    const found = resolve('local-only', 'victim');
    await settled();
    expect(system.asked).not.toContain('local-only');
    system.endOne();
    system.endOne();
    expect(await found).toEqual(ADDRESS);
  });

  it('gets no larger share by acting as many tenants', async () => {
    const system = makeDeaf(unknown);
    const direct = makeHanging(unknown);
    const resolve = makeResolver({ system: system.resolve, direct: direct.resolve, limits });
    const reasons: string[] = [];
    for (const [index, name] of names.entries()) {
      void reasonOf(resolve(name, `hostile-${index % 100}`)).then((reason) => reasons.push(reason));
    }
    await settled();
    expect(system.underWay() + direct.underWay()).toBe(40);
    expect(reasons).toHaveLength(1000 - 40 - 200);
  });
});

describe('many tenants with hanging lookups', () => {
  const soon = <T>(answer: Promise<T>) => Promise.race([answer, settled().then(() => 'waits')]);
  const hangAll = async (resolve: ResolveHost, tenants: number) => {
    for (let n = 0; n < tenants * 16; n += 1) {
      void resolve(`dead-${n}.example`, `hostile-${n % tenants}`).catch(() => undefined);
    }
    await settled();
  };

  it('do not delay the lookup of a name that DNS knows', async () => {
    const system = makeDeaf(async () => ADDRESS);
    const direct = makeHanging(async () => ADDRESS);
    const resolve = makeResolver({ system: system.resolve, direct: direct.resolve, slots: SYSTEM_LOOKUPS / 2 });
    await hangAll(resolve, 100);
    expect(system.underWay() + direct.underWay()).toBe(1600);
    expect(await soon(resolve('healthy.example', 'victim'))).toEqual(ADDRESS);
    expect(system.asked).not.toContain('healthy.example');
  });

  it.each([
    ['silence', makeHanging(unknown).resolve],
    ['a denial', unknown],
  ])('do not delay that of a name in the hosts file, with twenty tenants, after %s by DNS', async (_, direct) => {
    const system = makeDeaf(async () => ADDRESS);
    const resolve = makeResolver({ system: system.resolve, direct, slots: SYSTEM_LOOKUPS / 2 });
    await hangAll(resolve, 20);
    expect(await soon(resolve('local-only', 'victim'))).toEqual(ADDRESS);
    expect(system.underWay()).toBeLessThan(SYSTEM_LOOKUPS);
  });
});

describe('a lookup', () => {
  const limits = { width: 4, widthPerTenant: 1, waiting: 10, waitingPerTenant: 1 };

  it('holds its slot until the system ends the lookup, also after its timeout', async () => {
    const system = makeDeaf(unknown);
    const resolve = makeResolver({ system: system.resolve, direct: unknown, deadlineMs: 20, slots: 1 });
    const reasons = await Promise.all(['dead-1', 'dead-2', 'dead-3'].map((name) => reasonOf(resolve(name))));
    expect(new Set(reasons)).toEqual(new Set(['DNS lookup failed: no answer within 4 s']));
    expect(await reasonOf(resolve('dead-4'))).toBe('DNS lookup failed: no answer within 4 s');
    expect(system.underWay()).toBe(2);
  });

  it('is removed from the queue when all of its callers abort', async () => {
    const direct = makeHanging(async () => ADDRESS);
    const system = makeDeaf(async () => ADDRESS);
    const resolve = makeResolver({ system: system.resolve, direct: direct.resolve, limits });
    void resolve('dead-1', 'a').catch(() => undefined);
    const connection = new AbortController();
    const abandoned = resolve('dead-2', 'a', connection.signal);
    expect(await reasonOf(resolve('dead-3', 'a'))).toBe('DNS lookup failed: too many lookups are waiting');
    connection.abort(new Error('gone'));
    await expect(abandoned).rejects.toThrow('gone');
    const waiting = resolve('healthy', 'a');
    system.endOne();
    expect(await waiting).toEqual(ADDRESS);
    expect(system.asked).not.toContain('dead-2');
  });

  it('continues for the remaining callers when one of them aborts', async () => {
    const open: (() => void)[] = [];
    const system: ResolveHost = () => new Promise((resolve) => open.push(() => resolve(ADDRESS)));
    const resolve = makeResolver({ system, direct: unknown });
    const connection = new AbortController();
    const abandoned = resolve('a.example', 'a', connection.signal);
    const kept = resolve('a.example', 'a', new AbortController().signal);
    connection.abort(new Error('gone'));
    await expect(abandoned).rejects.toThrow('gone');
    open[0]?.();
    expect(await kept).toEqual(ADDRESS);
  });

  it('that asks DNS directly is canceled when all of its callers abort', async () => {
    const direct = makeHanging(unknown);
    const resolve = makeResolver({ system: makeDeaf(unknown).resolve, direct: direct.resolve });
    const connection = new AbortController();
    const lookups = ['dead-1', 'dead-2'].map((name) => reasonOf(resolve(name, 'a', connection.signal)));
    await settled();
    expect(direct.underWay()).toBe(1);
    connection.abort(new Error('gone'));
    await Promise.all(lookups);
    expect(direct.underWay()).toBe(0);
  });
});
