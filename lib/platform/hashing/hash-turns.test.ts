import { afterEach, describe, expect, it, vi } from 'vitest';
import { forgetTurns, HASH_THREADS, type HashDeadline, startHashDeadline, takeTurn } from './hash-turns';

const REFUSED = { code: 'overloaded', options: { retryAfterSeconds: expect.any(Number) } };

/** Takes every place; `free` releases them. */
function occupyThreads(): { free(): Promise<void> } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const jobs = Array.from({ length: HASH_THREADS }, () =>
    takeTurn('known', withoutDeadline('occupant'), () => released),
  );
  return {
    async free() {
      release();
      await Promise.all(jobs);
    },
  };
}

const withoutDeadline = (client: string, isFamiliar = true): HashDeadline => ({
  client,
  isFamiliar,
  signal: new AbortController().signal,
});

describe('the queue for hashing', () => {
  afterEach(() => {
    vi.useRealTimers();
    forgetTurns();
  });

  it('runs at most as many jobs at once as there are threads', async () => {
    let running = 0;
    let most = 0;
    const jobs = Array.from({ length: HASH_THREADS * 5 }, () =>
      takeTurn('known', withoutDeadline('a'), async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      }),
    );
    await Promise.all(jobs);
    expect(most).toBe(HASH_THREADS);
  });

  it('refuses a request after 3 seconds with Retry-After, and does not hash for it later', async () => {
    const threads = occupyThreads();
    const job = vi.fn(async () => true);
    const started = performance.now();
    const waiting = takeTurn('known', startHashDeadline({ ipAddress: '192.0.2.1', userAgent: null }), job);
    await expect(waiting).rejects.toMatchObject(REFUSED);
    expect(performance.now() - started).toBeGreaterThan(2_900);
    expect(performance.now() - started).toBeLessThan(4_000);
    await threads.free();
    expect(job).not.toHaveBeenCalled();
  });

  it('hashes nothing for a client that has disconnected', async () => {
    const threads = occupyThreads();
    const connection = new AbortController();
    const job = vi.fn(async () => true);
    const client = { ipAddress: '192.0.2.1', userAgent: null, disconnectSignal: () => connection.signal };
    const waiting = takeTurn('known', startHashDeadline(client), job);
    connection.abort();
    await expect(waiting).rejects.toMatchObject(REFUSED);
    await threads.free();
    expect(job).not.toHaveBeenCalled();
  });

  it('serves clients in turn, so a flood from one address does not delay the first sign-in from another', async () => {
    const threads = occupyThreads();
    const served: string[] = [];
    const sign = (client: string) => takeTurn('known', withoutDeadline(client), async () => void served.push(client));
    const all = [...Array.from({ length: 20 }, () => sign('flood')), sign('person')];
    await threads.free();
    await Promise.all(all);
    expect(served.indexOf('person')).toBeLessThanOrEqual(HASH_THREADS);
  });

  it('leaves a thread for people where they have signed in before, however many networks of strangers try', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let running = 0;
    const hold = async () => {
      running += 1;
      await released;
    };
    const strangers = Array.from({ length: 50 }, (_, index) =>
      takeTurn('known', withoutDeadline(`${index}`, false), hold),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(running).toBe(HASH_THREADS - 1);
    await expect(takeTurn('known', withoutDeadline('home'), async () => true)).resolves.toBe(true);
    release();
    await Promise.allSettled(strangers);
  });

  it('counts the addresses of one IPv6 site as one client', () => {
    const clientOf = (ipAddress: string) => startHashDeadline({ ipAddress, userAgent: null }).client;
    expect(clientOf('2001:db8:1:2::1')).toBe(clientOf('2001:db8:1:3:ffff::9'));
    expect(clientOf('2001:db8:2:2::1')).not.toBe(clientOf('2001:db8:1:2::1'));
  });

  it('refuses at once when full, and keeps room for other clients', async () => {
    const threads = occupyThreads();
    const flood = Array.from({ length: 200 * HASH_THREADS }, () =>
      takeTurn('known', withoutDeadline('flood'), async () => true),
    );
    const person = takeTurn('known', withoutDeadline('person'), async () => true);
    await threads.free();
    await expect(person).resolves.toBe(true);
    const results = await Promise.allSettled(flood);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(flood.length);
    for (const { reason } of refused) expect(reason).toMatchObject(REFUSED);
  });

  it('admits new passwords to at most half of its places', async () => {
    const threads = occupyThreads();
    const made = Array.from({ length: 8 }, (_, client) =>
      Array.from({ length: 20 * HASH_THREADS }, () =>
        takeTurn('new', withoutDeadline(`maker-${client}`), async () => true),
      ),
    ).flat();
    const person = takeTurn('known', withoutDeadline('person'), async () => true);
    await threads.free();
    await expect(person).resolves.toBe(true);
    const admitted = (await Promise.allSettled(made)).filter(({ status }) => status === 'fulfilled');
    expect(admitted.length).toBeGreaterThan(0);
    expect(admitted.length).toBeLessThan(made.length / 2);
  });
});
