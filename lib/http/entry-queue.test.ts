import { expect, it, onTestFinished, vi } from 'vitest';
import { EntryQueue } from './entry-queue';
import type { GuardedMessage } from './guarded-message';

const OPEN = { destroyed: false };

/** Enters requests by the names of their senders, those of strangers with a question mark, of familiar ones with "~?", and records in which order they start. */
function enter(...senders: string[]): string[][] {
  const passes: string[][] = [[]];
  const queue = new EntryQueue((message) => {
    const tenant = message.url ?? '';
    return { tenant, isStranger: tenant.endsWith('?'), isFamiliar: tenant.endsWith('~?') };
  });
  for (const sender of senders) {
    const url = sender === 'page' ? '/docs/page' : `/api/${sender}`;
    queue.enter({ url } as GuardedMessage, OPEN, () => passes.at(-1)?.push(url.slice(url.lastIndexOf('/') + 1)));
  }
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const next = () => {
    passes.push([]);
    if (!isOver) setImmediate(next).unref();
  };
  next();
  return passes;
}
const times = (count: number, sender: string) => Array<string>(count).fill(sender);
const order = async (senders: string[]) => {
  const passes = enter(...senders);
  await expect.poll(() => passes.flat().length).toBe(senders.length);
  return passes.filter((pass) => pass.length > 0);
};

it('starts a few requests at once, and lets the event loop read its sockets before the next ones', async () => {
  expect((await order(times(20, 'a'))).map((pass) => pass.length)).toEqual([8, 8, 4]);
});

it('starts two at once of strangers, and two pages of an owner', async () => {
  expect((await order(times(5, 'x?'))).map((pass) => pass.length)).toEqual([2, 2, 1]);
  expect((await order(times(5, 'page'))).map((pass) => pass.length)).toEqual([2, 2, 1]);
});

it('starts the request of another owner next, however many wait of one', async () => {
  const [, second] = await order([...times(20, 'a'), 'b', 'c']);
  expect(second?.slice(0, 3)).toEqual(['a', 'b', 'c']);
});

it('takes all strangers as one beside owners, and their networks in turn', async () => {
  const [, ...passes] = await order([...times(20, 'x?'), ...times(20, 'y?'), ...times(3, 'a'), 'z?']);
  expect(passes.flat().slice(0, 8)).toEqual(['x?', 'a', 'y?', 'a', 'z?', 'a', 'x?', 'y?']);
});

it('takes those from where people sign in as one more beside strangers, however many networks of strangers wait', async () => {
  const strangers = Array.from({ length: 40 }, (_, network) => `${network}?`);
  const [, second] = await order([...strangers, 'home~?', 'office~?']);
  expect(second).toContain('home~?');
});

it('starts more at once for an owner who alone has sent requests for a second, until somebody else sends one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let started = 0;
  const queue = new EntryQueue(({ url = '' }) => ({ tenant: url, isStranger: url === 'stranger' }));
  const start = () => {
    started += 1;
  };
  const startsAtOnce = async (tenant: string) => {
    started = 0;
    const enterOne = () => queue.enter({ url: tenant } as GuardedMessage, OPEN, start);
    enterOne();
    await new Promise(setImmediate);
    for (let count = 1; count < 50; count += 1) enterOne();
    const atOnce = started - 1;
    await expect.poll(() => started).toBe(50);
    return atOnce;
  };
  const inTurn = [await startsAtOnce('a')];
  vi.advanceTimersByTime(1_100);
  inTurn.push(
    await startsAtOnce('a'),
    await startsAtOnce('a'),
    await startsAtOnce('stranger'),
    await startsAtOnce('a'),
  );
  vi.useRealTimers();
  expect(inTurn).toEqual([2, 16, 16, 2, 2]);
});

it('drops all requests whose connections have ended at once, so that they never fill it', async () => {
  const started: string[] = [];
  const queue = new EntryQueue(() => ({ tenant: 'a', isStranger: false }));
  const enter = (url: string, destroyed: boolean) =>
    queue.enter({ url: `/api/${url}` } as GuardedMessage, { destroyed }, () => started.push(url));
  for (let count = 0; count < 8; count += 1) enter('first', false);
  for (let count = 0; count < 1_000; count += 1) enter('ended', true);
  enter('last', false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(started.slice(8)).toEqual(['last']);
});

it('starts 400 requests of strangers at once and in each second beside owners, and as many as come while no owner is active', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let started = 0;
  const queue = new EntryQueue(({ url = '' }) => ({ tenant: url, isStranger: url !== '/api/owner' }));
  const enter = (url: string) =>
    queue.enter({ url } as GuardedMessage, OPEN, () => {
      if (url !== '/api/owner') started += 1;
    });
  const startedWithin = async (ms: number) => {
    started = 0;
    enter('/api/owner');
    vi.advanceTimersByTime(ms);
    // Two start in each pass of the event loop.
    for (let pass = 0; pass < 300; pass += 1) await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 10));
    for (let pass = 0; pass < 300; pass += 1) await new Promise(setImmediate);
    return started;
  };
  enter('/api/owner');
  for (let count = 0; count < 1_000; count += 1) enter(`192.0.2.${count % 200}`);
  const counts = [await startedWithin(0), await startedWithin(0), await startedWithin(250), await startedWithin(0)];
  started = 0;
  vi.advanceTimersByTime(1_100);
  await expect.poll(() => started).toBe(500);
  vi.useRealTimers();
  // The first two of them start on entering.
  expect(counts).toEqual([398, 0, 100, 0]);
});
