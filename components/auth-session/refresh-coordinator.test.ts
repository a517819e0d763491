import { describe, expect, it, vi } from 'vitest';
import type { SignedIn } from '@/lib/auth/schema';
import { ApiError } from './api-error';
import { createRefresh, refreshDelayMs } from './refresh-coordinator';
import type { RunExclusive } from './refresh-lock';
import { SessionStore, toSession } from './session-store';
import type { Session } from './types';

const NOW_MS = 1_000_000;

function answer(accessToken: string, userId = 'u'): SignedIn {
  return {
    accessToken,
    tokenType: 'Bearer',
    expiresIn: 900,
    user: { id: userId, email: 'a@example.com', name: null, emailVerified: true, hasPassword: true },
    organization: null,
  };
}

const refused = (code: string, status = 401) => new ApiError({ status, code, detail: code, requestId: null });

function setUp(options: { runExclusive?: RunExclusive; wait?: (ms: number) => Promise<void> } = {}) {
  const store = new SessionStore();
  const requestRefresh = vi.fn<() => Promise<SignedIn>>();
  const share = vi.fn<(session: Session) => void>();
  const wait = vi.fn(options.wait ?? (async () => {}));
  const refresh = createRefresh({
    store,
    requestRefresh,
    share,
    wait,
    runExclusive: options.runExclusive ?? ((run) => run(false)),
    nowMs: () => NOW_MS,
  });
  const hold = (token: string) => store.set({ status: 'signed-in', session: toSession(answer(token), NOW_MS) });
  return { store, requestRefresh, share, wait, refresh, hold };
}

describe('refresh', () => {
  it('sends one request for any number of callers', async () => {
    const { refresh, requestRefresh } = setUp();
    requestRefresh.mockResolvedValue(answer('new'));
    const sessions = await Promise.all([refresh(null), refresh(null), refresh(null)]);
    expect(sessions.map((session) => session?.accessToken)).toEqual(['new', 'new', 'new']);
    expect(requestRefresh).toHaveBeenCalledTimes(1);
  });

  it('hands the new session to the other tabs', async () => {
    const { refresh, requestRefresh, share } = setUp();
    requestRefresh.mockResolvedValue(answer('new'));
    await refresh(null);
    expect(share).toHaveBeenCalledWith(expect.objectContaining({ accessToken: 'new', expiresAtMs: NOW_MS + 900_000 }));
  });

  it('spends no token when a newer session is there already', async () => {
    const { refresh, requestRefresh, hold } = setUp();
    hold('newer');
    expect((await refresh('stale'))?.accessToken).toBe('newer');
    expect(requestRefresh).not.toHaveBeenCalled();
  });

  it('takes what the tab before it in the queue got', async () => {
    const store: { hold?: (token: string) => void } = {};
    const parts = setUp({
      runExclusive: (run) => run(true),
      wait: async () => store.hold?.('from the other tab'),
    });
    store.hold = parts.hold;
    parts.hold('stale');
    expect((await parts.refresh('stale'))?.accessToken).toBe('from the other tab');
    expect(parts.requestRefresh).not.toHaveBeenCalled();
  });

  it('tries once more, 300 ms later, after losing a race', async () => {
    const { refresh, requestRefresh, wait } = setUp();
    requestRefresh.mockRejectedValueOnce(refused('refresh_superseded')).mockResolvedValueOnce(answer('second'));
    expect((await refresh(null))?.accessToken).toBe('second');
    expect(wait).toHaveBeenCalledWith(300);
  });

  it('takes the session of the winner instead of trying again', async () => {
    const parts = setUp({ wait: async () => parts.hold('of the winner') });
    parts.requestRefresh.mockRejectedValueOnce(refused('refresh_superseded'));
    expect((await parts.refresh(null))?.accessToken).toBe('of the winner');
    expect(parts.requestRefresh).toHaveBeenCalledTimes(1);
  });

  it('gives up after losing twice', async () => {
    const { refresh, requestRefresh, store } = setUp();
    requestRefresh.mockRejectedValue(refused('refresh_superseded'));
    expect(await refresh(null)).toBeNull();
    expect(requestRefresh).toHaveBeenCalledTimes(2);
    expect(store.getState()).toEqual({ status: 'signed-out', reason: 'ended' });
  });

  it('signs out when the refresh token is refused', async () => {
    const { refresh, requestRefresh, store } = setUp();
    requestRefresh.mockRejectedValue(refused('invalid_refresh_token'));
    expect(await refresh(null)).toBeNull();
    expect(store.getState().status).toBe('signed-out');
  });

  it.each([
    ['no answer', refused('network_error', 0)],
    ['a fault of the server', refused('internal_error', 500)],
    ['too many requests', refused('rate_limited', 429)],
  ])('signs nobody out for %s', async (_name, error) => {
    const { refresh, requestRefresh, store, hold } = setUp();
    hold('stale');
    requestRefresh.mockRejectedValue(error);
    await expect(refresh('stale')).rejects.toBe(error);
    expect(store.getState().status).toBe('signed-in');
  });

  it('asks for nothing when the person signed out while this tab was in the queue', async () => {
    const parts = setUp({
      runExclusive: (run) => {
        parts.store.set({ status: 'signed-out', reason: 'signed-out' });
        return run(true);
      },
    });
    parts.hold('stale');
    expect(await parts.refresh('stale')).toBeNull();
    expect(parts.requestRefresh).not.toHaveBeenCalled();
    expect(parts.store.getState()).toEqual({ status: 'signed-out', reason: 'signed-out' });
  });

  it('asks for nothing for a request that was under way at the sign-out, which stays the reason', async () => {
    const { refresh, requestRefresh, store, hold } = setUp();
    hold('left');
    store.set({ status: 'signed-out', reason: 'signed-out' });
    requestRefresh.mockRejectedValue(refused('invalid_refresh_token'));
    expect(await refresh('left')).toBeNull();
    expect(requestRefresh).not.toHaveBeenCalled();
    expect(store.getState()).toEqual({ status: 'signed-out', reason: 'signed-out' });
  });

  it('asks again for one who was signed out before', async () => {
    const { refresh, requestRefresh, store } = setUp();
    store.set({ status: 'signed-out', reason: 'signed-out' });
    requestRefresh.mockResolvedValue(answer('new'));
    expect((await refresh(null))?.accessToken).toBe('new');
  });

  it('gives nobody the session of another person', async () => {
    const { refresh, requestRefresh, store, hold, share } = setUp();
    hold('stale');
    requestRefresh.mockResolvedValue(answer('new', 'another'));
    expect(await refresh('stale')).toBeNull();
    expect(store.getState().status).toBe('replaced');
    expect(share).toHaveBeenCalledTimes(1);
    expect(await refresh(null)).toBeNull();
    expect(requestRefresh).toHaveBeenCalledTimes(1);
  });

  it('can be tried again after a failure', async () => {
    const { refresh, requestRefresh } = setUp();
    requestRefresh.mockRejectedValueOnce(refused('network_error', 0)).mockResolvedValueOnce(answer('later'));
    await expect(refresh(null)).rejects.toThrow();
    expect((await refresh(null))?.accessToken).toBe('later');
  });
});

describe('refreshDelayMs', () => {
  const session = (expiresIn: number) => toSession({ ...answer('t'), expiresIn }, NOW_MS);

  it('renews a minute before the end', () => {
    expect(refreshDelayMs(session(900), NOW_MS, 0)).toBe(840_000);
  });

  it('renews a short life at four fifths', () => {
    expect(refreshDelayMs(session(10), NOW_MS, 0)).toBe(8000);
  });

  it('never waits past the end, whatever the spread between tabs', () => {
    for (const expiresIn of [5, 60, 900, 86_400]) {
      expect(refreshDelayMs(session(expiresIn), NOW_MS, 0.999)).toBeLessThan(expiresIn * 1000);
    }
  });

  it('renews at once when the end has passed', () => {
    expect(refreshDelayMs(session(900), NOW_MS + 1_000_000, 0)).toBe(0);
  });
});
