import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { countForOwner, countForService, readHeavily, shareConnections } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { useDatabase } from '@/tests/database/use-database';

useDatabase();

interface Request {
  owner?: string;
  network?: string;
  isReading?: boolean;
  /** The owner of a credential that was valid a minute ago. */
  ownerId?: string;
  disconnectSignal?: () => AbortSignal;
}

/** Runs work as a request that counts for an owner, or for the network of a stranger. */
function request<T>({ owner, network = '192.0.2.1', isReading = false, ...rest }: Request, work: () => Promise<T>) {
  return shareConnections({ network, isReading, ...rest }, async () => {
    if (owner !== undefined) countForOwner(owner);
    return work();
  });
}

const pause = (seconds: number) => () => database().query('SELECT pg_sleep($1)', [seconds]);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: { code?: string }) => error.code,
  );

/** Starts as many requests that hold a connection until `end` is called. */
function flood(count: number, fields: Request, limit = <T>(work: () => Promise<T>) => work()) {
  const state = { running: 0, end: () => {} };
  const ended = new Promise<void>((resolve) => {
    state.end = resolve;
  });
  const hold = () =>
    limit(async () => {
      const client = await database().connect();
      state.running += 1;
      await ended;
      client.release();
    });
  const codes = Array.from({ length: count }, () => codeOf(request(fields, hold)));
  const end = () => {
    state.end();
    return Promise.all(codes);
  };
  return { end, codes, running: () => state.running };
}

async function secondsOf(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return (performance.now() - startedAt) / 1000;
}

describe('the connections of requests', () => {
  it('are shared by owner: three for what may write, two for reads, two for a network of strangers, one for heavy reads', async () => {
    for (const [fields, most, limit] of [
      [{ owner: 'a' }, 3],
      [{ owner: 'a', isReading: true }, 2],
      [{ isReading: true }, 2],
      [{ owner: 'a', isReading: true }, 1, readHeavily],
    ] as const) {
      const { running, end } = flood(5, fields, limit);
      await expect.poll(running).toBe(most);
      await sleep(50);
      expect(running(), JSON.stringify(fields)).toBe(most);
      expect(await end()).toEqual(Array(5).fill('answered'));
    }
  });

  it.each([
    ['searches', 'search'],
    ['previews of replays', 'preview'],
    ['previews of customers', 'portal'],
  ] as const)('are one for the %s of all owners, which leave those of other heavy reads', async (_, kind) => {
    const read = <T>(work: () => Promise<T>) => readHeavily(work, kind);
    const floods = ['a', 'b', 'c'].map((owner) => flood(2, { owner, isReading: true }, read));
    const running = () => floods.reduce((sum, each) => sum + each.running(), 0);
    await expect.poll(running).toBe(1);
    const other = flood(1, { owner: 'd', isReading: true }, readHeavily);
    await expect.poll(other.running).toBe(1);
    expect(running()).toBe(1);
    expect(await other.end()).toEqual(['answered']);
    expect(await Promise.all(floods.map(({ end }) => end()))).toEqual(Array(3).fill(['answered', 'answered']));
  });

  it('of heavy reads are not held by an owner that waits for a connection', async () => {
    const own = flood(2, { owner: 'a', isReading: true });
    await expect.poll(own.running).toBe(2);
    const waiting = flood(1, { owner: 'a', isReading: true }, readHeavily);
    const others = ['b', 'c'].map((owner) => flood(1, { owner, isReading: true }, readHeavily));
    for (const { running } of others) await expect.poll(running).toBe(1);
    expect(waiting.running()).toBe(0);
    for (const { end } of [...others, own, waiting]) expect(await end()).toContain('answered');
  });

  it('serve the heavy read of an owner beside its other reads', async () => {
    let goOn: () => void = () => undefined;
    const toGoOn = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const reading = { owner: 'a', isReading: true };
    const heavy = request(reading, () => readHeavily(() => toGoOn.then(pause(0))));
    const others = flood(3, reading);
    await expect.poll(others.running).toBe(2);
    goOn();
    await heavy;
    expect(others.running()).toBe(2);
    await others.end();
  });

  it('are one of the hot pool for pieces of large bodies: one is read at a time, and owners take turns', async () => {
    const order: string[] = [];
    const read = (owner: string) =>
      request({ owner, isReading: true }, () =>
        readHeavily(async () => {
          order.push(owner);
          await sleep(1);
          order.push(owner);
        }, 'piece'),
      );
    await Promise.all(['a', 'a', 'a', 'b', 'c'].map(read));
    expect(order.join('')).toBe('aabbaaccaa');
  });

  it('leave some to other owners, to strangers and to the service, however many requests of an owner wait', async () => {
    const floods = [flood(20, { owner: 'a' }), flood(20, { owner: 'a', isReading: true }), flood(20, {})];
    for (const other of [{ owner: 'b' }, { owner: 'b', isReading: true }, { network: '192.0.2.2' }]) {
      expect(await codeOf(request(other, pause(0))), JSON.stringify(other)).toBe('answered');
    }
    const operator = async () => {
      countForService();
      await pause(0)();
    };
    await Promise.all([request({}, operator), pause(0)()]);
    for (const { end } of floods) expect(await end()).toEqual(Array(20).fill('answered'));
  });

  it('are not those of strangers for a credential that was valid in the last minute, however many strangers wait', async () => {
    const floods = Array.from({ length: 4 }, (_, index) => flood(2, { network: `192.0.2.${index}` }));
    expect(await codeOf(request({ network: '192.0.2.9', ownerId: 'a' }, pause(0)))).toBe('answered');
    for (const { end } of floods) await end();
  });

  it('do not run out for requests that use a second one within a transaction, when all shares are taken', async () => {
    const nested = () =>
      inTransaction(async (tx) => {
        await tx.query('SELECT pg_sleep(0.1)');
        await database().query('SELECT 1');
        await inTransaction((inner) => inner.query('SELECT 1'));
      });
    const owners = Array.from({ length: 8 }, (_, index) => request({ owner: `owner ${index % 3}` }, nested));
    const strangers = Array.from({ length: 6 }, (_, index) => request({ network: `192.0.2.${index}` }, nested));
    await Promise.all([...owners, ...strangers]);
  });

  it('are refused with 429 to the owner that holds its share for three seconds, and given again afterwards', async () => {
    const { codes, end } = flood(4, { owner: 'a' });
    expect(await codes[3]).toBe('rate_limited');
    await end();
    expect(await codeOf(request({ owner: 'a' }, pause(0)))).toBe('answered');
  });

  it('are refused with 503 to an owner that waits for others alone', async () => {
    const floods = [flood(3, { owner: 'a' }), flood(3, { owner: 'b' })];
    expect(await codeOf(request({ owner: 'c' }, pause(0)))).toBe('overloaded');
    await Promise.all(floods.map(({ end }) => end()));
  });

  it('are refused with 429 at once to an owner of whom 200 statements wait', async () => {
    const { codes, end } = flood(204, { owner: 'a' });
    expect(await secondsOf(Promise.resolve(codes[203]))).toBeLessThan(1);
    expect(await end()).toEqual([...Array(203).fill('answered'), 'rate_limited']);
  });

  it('are not taken for a client that disconnected while it waited', async () => {
    const { end } = flood(3, { owner: 'a' });
    const client = new AbortController();
    const waiting = codeOf(request({ owner: 'a', disconnectSignal: () => client.signal }, pause(0)));
    client.abort();
    expect(await waiting).toBe('rate_limited');
    await end();
    expect(await codeOf(request({ owner: 'a' }, pause(0)))).toBe('answered');
  });
});

describe('a statement of a request', () => {
  it('ends after two seconds when the request only reads, and has the usual time otherwise', async () => {
    const limit = async () => (await database().query('SHOW statement_timeout')).rows[0].statement_timeout;
    expect(await request({ owner: 'a', isReading: true }, limit)).toBe('2s');
    expect(await request({ owner: 'a' }, limit)).toBe('7s');
    const slow = request({ owner: 'a', isReading: true }, pause(3));
    await expect(slow).rejects.toMatchObject({ code: '57014' });
    expect(await request({ owner: 'a', isReading: true }, limit)).toBe('2s');
  });
});
