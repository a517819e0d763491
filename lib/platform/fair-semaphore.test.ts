import { describe, expect, it, vi } from 'vitest';
import { FairSemaphore, SemaphoreFullError } from './fair-semaphore';
import { holdingPlace, waitingTenant } from './place-holder';

const never = new AbortController().signal;
const ONE = { width: 1, widthPerTenant: 1, waiting: 100, waitingPerTenant: 50 };
const PACE = { restAfter: () => 0, mostUsed: 100 };

/** Requests a place and records when it is granted. */
function ask(semaphore: FairSemaphore, tenant: string, granted: string[], signal: AbortSignal = never) {
  return semaphore.acquire(tenant, signal).then((release) => {
    granted.push(tenant);
    return release;
  });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Lets each tenant use a slot while another one waits. */
async function use(semaphore: FairSemaphore, costs: Record<string, number>): Promise<void> {
  for (const [tenant, cost] of Object.entries(costs)) {
    const release = await semaphore.acquire(tenant, never);
    const other = semaphore.acquire('other', never);
    release(cost);
    (await other)(0);
  }
}

describe('a fair semaphore', () => {
  it('keeps places for others when one tenant has used its share', async () => {
    const semaphore = new FairSemaphore({ width: 3, widthPerTenant: 1, waiting: 5, waitingPerTenant: 5 });
    const granted: string[] = [];
    for (const tenant of ['a', 'a', 'b', 'b']) void ask(semaphore, tenant, granted);
    await settled();
    expect(granted).toEqual(['a', 'b']);
  });

  it('serves waiting tenants in turn, however many of one are waiting', async () => {
    const semaphore = new FairSemaphore({ width: 1, widthPerTenant: 1, waiting: 50, waitingPerTenant: 50 });
    const order: string[] = [];
    const all = ['a', 'a', 'a', 'b', 'b', 'c'].map(async (tenant) => (await ask(semaphore, tenant, order))());
    await Promise.all(all);
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('serves first who has used least lately, so that who uses little waits for none of the many who use much', async () => {
    const semaphore = new FairSemaphore(ONE, PACE);
    await use(semaphore, { a: 9, b: 4, c: 7, d: 1 });
    const order: string[] = [];
    const all = ['a', 'a', 'b', 'c', 'd', 'd'].map(async (tenant) => (await ask(semaphore, tenant, order))(1));
    await Promise.all(all);
    // The first of these turns is a fourth one, which is round robin.
    expect(order).toEqual(['a', 'b', 'd', 'd', 'c', 'a']);
  });

  it('counts nothing for that order which a tenant uses while nobody else waits', async () => {
    const semaphore = new FairSemaphore(ONE, PACE);
    await use(semaphore, { a: 1, b: 1 });
    for (let job = 0; job < 10; job += 1) semaphore.tryAcquire('b')?.(9);
    const release = semaphore.tryAcquire('c');
    const order: string[] = [];
    const all = ['a', 'b', 'a', 'b'].map(async (tenant) => (await ask(semaphore, tenant, order))(1));
    release?.(1);
    await Promise.all(all);
    expect(order).toEqual(['a', 'b', 'a', 'b']);
  });

  it('gives every other slot to newcomers, so that many at once delay those who were there before by one job each', async () => {
    const semaphore = new FairSemaphore(ONE, PACE);
    await use(semaphore, { known: 1, 'known 2': 2 });
    const order: string[] = [];
    const newcomers = Array.from({ length: 8 }, (_, nth) => `newcomer ${nth}`);
    const release = semaphore.tryAcquire('known 2');
    const all = [...newcomers, 'known', 'known', 'known 2'].map(async (tenant) => {
      const releaseNext = await ask(semaphore, tenant, order);
      await settled();
      releaseNext(9);
    });
    release?.(0);
    await Promise.all(all);
    expect(order.slice(0, 6)).toEqual(['newcomer 0', 'known', 'newcomer 1', 'known 2', 'newcomer 2', 'known']);
  });

  it('gives jobs that hold another place turns of their own, however many have used less than their owner', async () => {
    const semaphore = new FairSemaphore(ONE, PACE);
    const light = Array.from({ length: 8 }, (_, nth) => `light ${nth}`);
    await use(semaphore, { heavy: 90, ...Object.fromEntries(light.map((tenant) => [tenant, 0])) });
    const holder = await holdingPlace(async () => waitingTenant('heavy'));
    const order: string[] = [];
    const release = semaphore.tryAcquire('heavy');
    const all = [...light, ...light, holder].map(async (tenant) => (await ask(semaphore, tenant, order))(1));
    release?.(0);
    await Promise.all(all);
    expect(order.indexOf(holder)).toBeLessThanOrEqual(1);
  });

  it('lets who has used much wait for as many jobs as there are others and a few more, however little these have used', async () => {
    const semaphore = new FairSemaphore(ONE, PACE);
    const light = Array.from({ length: 8 }, (_, nth) => `light ${nth}`);
    await use(semaphore, { heavy: 90, ...Object.fromEntries(light.map((tenant) => [tenant, 0])) });
    const order: string[] = [];
    const release = semaphore.tryAcquire('light 0');
    const all = ['heavy', ...Array(10).fill(light).flat()].map(async (tenant) =>
      (await ask(semaphore, tenant, order))(0),
    );
    release?.(0);
    await Promise.all(all);
    expect(order.indexOf('heavy')).toBeLessThan(12);
  });

  it('knows no longer who was idle for two minutes, and halves what was used in each half minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const semaphore = new FairSemaphore(ONE, PACE);
    const first = async (...tenants: string[]) => {
      const order: string[] = [];
      const release = semaphore.tryAcquire('z');
      const all = tenants.map(async (tenant) => (await ask(semaphore, tenant, order))(0));
      release?.(0);
      await Promise.all(all);
      return order;
    };
    await use(semaphore, { a: 9 });
    vi.advanceTimersByTime(30_000);
    await use(semaphore, { b: 6 });
    expect(await first('b', 'a')).toEqual(['a', 'b']);
    vi.advanceTimersByTime(121_000);
    await use(semaphore, { c: 0, d: 0 });
    expect((await first('c', 'd', 'b')).slice(0, 2)).toContain('b');
    vi.useRealTimers();
  });

  it('runs a job that holds another place beside those of its owner, and one at a time', async () => {
    const limits = { width: 5, widthPerTenant: 2, widthPerHolder: 1, waiting: 50, waitingPerTenant: 50 };
    const semaphore = new FairSemaphore(limits);
    expect([1, 2, 3].map(() => semaphore.tryAcquire('a') !== null)).toEqual([true, true, false]);
    const tenant = await holdingPlace(async () => waitingTenant('a'));
    expect([1, 2].map(() => semaphore.tryAcquire(tenant) !== null)).toEqual([true, false]);
    expect(semaphore.tryAcquire('b')).not.toBeNull();
  });

  it('refuses at once when too many jobs wait, of one tenant or in total', async () => {
    const semaphore = new FairSemaphore({ width: 1, widthPerTenant: 1, waiting: 3, waitingPerTenant: 2 });
    const granted: string[] = [];
    for (const tenant of ['a', 'a', 'a']) void ask(semaphore, tenant, granted);
    await expect(semaphore.acquire('a', never)).rejects.toThrow(SemaphoreFullError);
    void ask(semaphore, 'b', granted);
    await expect(semaphore.acquire('b', never)).rejects.toThrow(SemaphoreFullError);
    expect(semaphore.waiting).toBe(3);
  });

  it('gives the newest waiting place of the longest queue to another tenant when all are taken', async () => {
    const semaphore = new FairSemaphore({ width: 1, widthPerTenant: 1, waiting: 5, waitingPerTenant: 3 });
    const order: string[] = [];
    const take = async (name: string) => {
      const release = await semaphore.acquire(name[0] as string, never);
      order.push(name);
      await settled();
      release();
    };
    const all = Promise.allSettled(['a0', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2', 'd1'].map(take));
    expect(semaphore.waiting).toBe(5);
    const refused = (await all).flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
    // c1 takes the place of a3. No queue is longer than c's by two when c2 arrives. d1 takes that of a2.
    expect({ order, refused }).toEqual({ order: ['a0', 'b1', 'c1', 'd1', 'a1', 'b2'], refused: [2, 3, 7] });
    expect({ waiting: semaphore.waiting, tenants: semaphore.tenants }).toEqual({ waiting: 0, tenants: 0 });
  });

  it('never takes the only waiting place of a tenant, and ignores the later abort of one that lost its place', async () => {
    const semaphore = new FairSemaphore({ width: 1, widthPerTenant: 1, waiting: 2, waitingPerTenant: 2 });
    const release = await semaphore.acquire('a', never);
    const impatient = new AbortController();
    const kept = semaphore.acquire('a', never);
    const displaced = semaphore.acquire('a', impatient.signal);
    const other = semaphore.acquire('b', never);
    await expect(displaced).rejects.toThrow(SemaphoreFullError);
    impatient.abort();
    await expect(semaphore.acquire('c', never)).rejects.toThrow(SemaphoreFullError);
    expect(semaphore.waiting).toBe(2);
    release();
    await Promise.all([kept, other].map(async (place) => (await place)()));
    expect({ waiting: semaphore.waiting, tenants: semaphore.tenants }).toEqual({ waiting: 0, tenants: 0 });
  });

  it('keeps its bounds and settles every job, in any order of arrivals, aborts and releases', async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const limits = { width: 3, widthPerTenant: 2, waiting: 6, waitingPerTenant: 4 };
    const semaphore = new FairSemaphore(limits);
    const held: (() => void)[] = [];
    const controllers: AbortController[] = [];
    const jobs: Promise<unknown>[] = [];
    for (let step = 0; step < 3_000; step += 1) {
      const action = random(4);
      if (action < 2) {
        const controller = new AbortController();
        controllers.push(controller);
        const place = semaphore.acquire('abcdef'[random(6)] as string, controller.signal);
        jobs.push(
          place.then(
            (release) => held.push(release),
            () => undefined,
          ),
        );
      } else if (action === 2) {
        controllers.splice(random(controllers.length), 1)[0]?.abort();
      } else {
        held.splice(random(held.length), 1)[0]?.();
      }
      if (random(3) === 0) await settled();
      expect(semaphore.waiting).toBeLessThanOrEqual(limits.waiting);
      expect(held.length).toBeLessThanOrEqual(limits.width);
    }
    while (semaphore.tenants > 0) {
      held.pop()?.();
      await settled();
    }
    await Promise.all(jobs);
    expect(semaphore.waiting).toBe(0);
  });

  it('removes a waiter that aborts, and admits the next one', async () => {
    const semaphore = new FairSemaphore({ width: 1, widthPerTenant: 1, waiting: 2, waitingPerTenant: 1 });
    const granted: string[] = [];
    const release = await ask(semaphore, 'a', granted);
    const impatient = new AbortController();
    const abandoned = semaphore.acquire('b', impatient.signal);
    impatient.abort(new Error('gone'));
    await expect(abandoned).rejects.toThrow('gone');
    expect(semaphore.waiting).toBe(0);
    void ask(semaphore, 'b', granted);
    release();
    await settled();
    expect(granted).toEqual(['a', 'b']);
  });
});
