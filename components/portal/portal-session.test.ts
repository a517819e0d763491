import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PortalSessionStore, sessionOf } from './portal-session';

/** Answers each exchange of a link when the test says so. */
let answers: Map<string, (response: Response) => void>;

beforeEach(() => {
  answers = new Map();
  vi.useFakeTimers();
  vi.stubGlobal('window', { location: { pathname: '/portal/p' } });
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    const { link } = JSON.parse(body) as { link: string };
    return new Promise<Response>((resolve) => answers.set(link, resolve));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const accept = (link: string) =>
  answers.get(link)?.(Response.json({ token: link, expiresAt: new Date(Date.now() + 60_000).toISOString() }));
const refuse = (link: string) => answers.get(link)?.(Response.json({ code: 'unauthenticated' }, { status: 401 }));

/** Opens two links at once. @returns the store, and what each of them resolves */
function openTwo() {
  const store = new PortalSessionStore();
  const opened = { first: store.open('first'), second: store.open('second') };
  const shown = () => {
    const state = store.read();
    return sessionOf(state)?.token ?? state.status;
  };
  return { opened, shown };
}

it.each([
  ['first', 'second'],
  ['second', 'first'],
] as const)('shows the link that was opened last when the %s one is answered before the %s', async (one, other) => {
  const { opened, shown } = openTwo();
  accept(one);
  await opened[one];
  accept(other);
  await opened[other];
  expect(shown()).toBe('second');
});

it('shows the link that was opened first when the last one is refused', async () => {
  const { opened, shown } = openTwo();
  refuse('second');
  await opened.second;
  expect(shown()).toBe('refused');
  accept('first');
  await opened.first;
  expect(shown()).toBe('first');
});

it('does not show that a link was refused while one that was opened later is exchanged', async () => {
  const { opened, shown } = openTwo();
  refuse('first');
  await opened.first;
  expect(shown()).toBe('loading');
  accept('second');
  await opened.second;
  expect(shown()).toBe('second');
});

it('keeps the session that ended while its next link is refused, and continues with one that opens', async () => {
  const store = new PortalSessionStore();
  const first = store.open('first');
  accept('first');
  await first;
  vi.advanceTimersByTime(61_000);
  expect(store.read().status).toBe('ended');
  const second = store.open('second');
  refuse('second');
  await second;
  expect(store.read().status).toBe('refused');
  expect(sessionOf(store.read())?.token).toBe('first');
  const third = store.open('third');
  accept('third');
  await third;
  expect(store.read().status).toBe('open');
  expect(sessionOf(store.read())?.token).toBe('third');
});
