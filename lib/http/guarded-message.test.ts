import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { readNodeBody } from './body-reader';
import { GuardedMessage } from './guarded-message';
import { unfinishedBodies } from './unfinished-bodies';

const SECOND = 1_000;

/** A body of a client of a network. */
function begin(network: string) {
  const message = new GuardedMessage(new Socket());
  const refusals: string[] = [];
  message.networkOf = () => network;
  message.refuse = (_message, { code }) => refusals.push(code);
  const send = (pieces: number, bytes = 1) => {
    for (let nth = 0; nth < pieces; nth += 1) message.push(Buffer.alloc(bytes));
  };
  return { message, send, refusals };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  setOnce('small-chunks', undefined);
});
afterEach(() => void vi.useRealTimers());

describe('the small chunks of the bodies of a network', () => {
  it('are 10,000 a second, however many bodies have fewer than one may have, which are refused a few at a time', async () => {
    const bodies = Array.from({ length: 1_500 }, () => begin('a'));
    for (let second = 0; second < 3; second += 1) {
      vi.advanceTimersByTime(SECOND);
      for (const { send } of bodies) send(240);
    }
    const refused = () => bodies.filter(({ refusals }) => refusals.includes('rate_limited')).length;
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(refused()).toBeLessThanOrEqual(50);
    await vi.waitFor(() => expect(refused()).toBeGreaterThan(1_200));
    vi.advanceTimersByTime(SECOND);
    const others = ['a', 'b'].map(begin);
    for (const { send } of others) send(200);
    await turn();
    expect(others.flatMap(({ refusals }) => refusals)).toEqual([]);
  });

  it('take nothing from other networks until all together send 40,000 a second, and then nothing from who sends few', async () => {
    const networks = Array.from({ length: 30 }, (_, nth) => Array.from({ length: 60 }, () => begin(`${nth}`)));
    for (const bodies of networks) for (const { send } of bodies) send(200);
    const refused = () => networks.map((bodies) => bodies.filter(({ refusals }) => refusals.length > 0).length);
    await vi.waitFor(() => expect(refused().at(-1)).toBeGreaterThan(40));
    expect(refused().slice(0, 4)).toEqual([0, 0, 0, 0]);
    const few = begin('few');
    few.send(200);
    await turn();
    expect(few.refusals).toEqual([]);
  });

  it('of a hundred networks that each send few are 40,000 a second', async () => {
    const networks = Array.from({ length: 100 }, (_, nth) => `${nth}`);
    const bodies: ReturnType<typeof begin>[] = [];
    for (let round = 0; round < 6; round += 1) {
      vi.advanceTimersByTime(0.3 * SECOND);
      const begun = networks.flatMap((network) => [begin(network), begin(network), begin(network)]);
      for (const { send } of begun) send(216);
      bodies.push(...begun);
    }
    // 360,000 chunks count. All networks together may send 132,000: 60,000 at once, and 40,000 in each second.
    const refused = () => bodies.filter(({ refusals }) => refusals.length > 0).length;
    await vi.waitFor(() => expect(refused()).toBeGreaterThan(bodies.length / 2));
    const few = begin('few');
    few.send(200);
    await turn();
    expect(few.refusals).toEqual([]);
  });

  it('are not counted at the beginning of a body, or when they have a KiB', async () => {
    const bodies = Array.from({ length: 3_000 }, () => begin('a'));
    for (const { send } of bodies) send(16);
    const large = begin('a');
    large.send(40_000, 1_024);
    await turn();
    expect([large, ...bodies].flatMap(({ refusals }) => refusals)).toEqual([]);
  });
});

describe('a body of which a chunk was dropped', () => {
  const readerOf = (message: GuardedMessage) =>
    readNodeBody(message, 1_000_000, { network: 'a', ownerId: undefined }, ({ length }) => length).catch(
      ({ message }: Error) => message,
    );

  it.each([
    ['is in tiny pieces', 20_000, 0],
    ['is one of too many of its network', 240, 1_500],
  ])('because it %s fails for its reader, and counts nothing afterwards', async (_why, pieces, others) => {
    for (let nth = 0; nth < others; nth += 1) begin('a').send(240);
    const { message, send, refusals } = begin('a');
    const read = readerOf(message);
    send(pieces);
    message.complete = true;
    message.push(null);
    await vi.waitFor(() => expect(refusals).toHaveLength(1));
    message.destroy();
    expect(await read).toBe('The connection closed before the body was complete.');
    expect(unfinishedBodies().bytes).toBe(0);
  });

  it('differs from one that is complete, which its reader gets', async () => {
    const { message, send, refusals } = begin('a');
    const read = readerOf(message);
    send(240);
    message.complete = true;
    message.push(null);
    expect(await read).toBe(240);
    expect(refusals).toEqual([]);
  });
});
