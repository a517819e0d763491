import { describe, expect, it } from 'vitest';
import { FairSemaphore, SemaphoreFullError } from './fair-semaphore';

const never = new AbortController().signal;

/** Requests a place and records when it is granted. */
function ask(semaphore: FairSemaphore, tenant: string, granted: string[], signal: AbortSignal = never) {
  return semaphore.acquire(tenant, signal).then((release) => {
    granted.push(tenant);
    return release;
  });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a fair semaphore', () => {
  it('admits as many jobs as its width, and the next one when one leaves', async () => {
    const semaphore = new FairSemaphore({ width: 2, widthPerTenant: 2, waiting: 5, waitingPerTenant: 5 });
    const granted: string[] = [];
    const [first] = await Promise.all([ask(semaphore, 'a', granted), ask(semaphore, 'a', granted)]);
    void ask(semaphore, 'a', granted);
    await settled();
    expect(granted).toHaveLength(2);
    first?.();
    await settled();
    expect(granted).toHaveLength(3);
  });

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

  it('refuses at once when too many jobs wait, of one tenant or in total', async () => {
    const semaphore = new FairSemaphore({ width: 1, widthPerTenant: 1, waiting: 3, waitingPerTenant: 2 });
    const granted: string[] = [];
    for (const tenant of ['a', 'a', 'a']) void ask(semaphore, tenant, granted);
    await expect(semaphore.acquire('a', never)).rejects.toThrow(SemaphoreFullError);
    void ask(semaphore, 'b', granted);
    await expect(semaphore.acquire('c', never)).rejects.toThrow(SemaphoreFullError);
    expect(semaphore.waiting).toBe(3);
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

  it('remembers no tenant that has left', async () => {
    const semaphore = new FairSemaphore({ width: 2, widthPerTenant: 1, waiting: 9, waitingPerTenant: 9 });
    const tenants = ['a', 'a', 'b', 'c', 'd'];
    await Promise.all(tenants.map(async (tenant) => (await semaphore.acquire(tenant, never))()));
    expect({ waiting: semaphore.waiting, tenants: semaphore.tenants }).toEqual({ waiting: 0, tenants: 0 });
  });
});
