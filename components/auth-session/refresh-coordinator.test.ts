import { describe, expect, it, vi } from 'vitest';
import type { RestoredSession, SignedIn } from '@/lib/auth/schema';
import { ApiError } from './api-error';
import { createRefresh, refreshDelayMs } from './refresh-coordinator';
import type { RunExclusive } from './refresh-lock';
import type { EndReason, Session } from './session-store';
import { SessionStore, toSession } from './session-store';

const NOW_MS = 1_000_000;

function answer(accessToken: string, userId = 'u'): SignedIn {
  return {
    accessToken,
    tokenType: 'Bearer',
    expiresIn: 900,
    user: {
      id: userId,
      email: 'a@example.com',
      name: null,
      emailVerified: true,
      hasPassword: true,
      timeZone: 'LOCAL' as const,
    },
    organization: null,
  };
}

const restored = (accessToken: string, userId?: string): RestoredSession => ({
  session: answer(accessToken, userId),
  ended: null,
});

const refused = (code: string, status = 401) => new ApiError({ status, code, detail: code, requestId: null });

function setUp(options: { runExclusive?: RunExclusive; wait?: (ms: number) => Promise<void> } = {}) {
  const store = new SessionStore();
  const requestRefresh = vi.fn<() => Promise<RestoredSession>>();
  const share = vi.fn<(session: Session) => void>();
  const shareEnd = vi.fn<(reason: EndReason) => void>();
  const wait = vi.fn(options.wait ?? (async () => {}));
  const refresh = createRefresh({
    store,
    requestRefresh,
    share,
    shareEnd,
    wait,
    runExclusive: options.runExclusive ?? ((run) => run(false)),
    nowMs: () => NOW_MS,
  });
  const hold = (token: string) => store.set({ status: 'signed-in', session: toSession(answer(token), NOW_MS) });
  return { store, requestRefresh, share, shareEnd, wait, refresh, hold };
}

describe('refresh', () => {
  it('sends one request for any number of callers', async () => {
    const { refresh, requestRefresh } = setUp();
    requestRefresh.mockResolvedValue(restored('new'));
    const sessions = await Promise.all([refresh(null), refresh(null), refresh(null)]);
    expect(sessions.map((session) => session?.accessToken)).toEqual(['new', 'new', 'new']);
    expect(requestRefresh).toHaveBeenCalledTimes(1);
  });

  it('shares the new session with other tabs', async () => {
    const { refresh, requestRefresh, share } = setUp();
    requestRefresh.mockResolvedValue(restored('new'));
    await refresh(null);
    expect(share).toHaveBeenCalledWith(expect.objectContaining({ accessToken: 'new', expiresAtMs: NOW_MS + 900_000 }));
  });

  it('sends no request when a newer session exists', async () => {
    const { refresh, requestRefresh, hold } = setUp();
    hold('newer');
    expect((await refresh('stale'))?.accessToken).toBe('newer');
    expect(requestRefresh).not.toHaveBeenCalled();
  });

  it('uses the session that the previous tab in the queue got', async () => {
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

  it('retries once, after 300 ms, when another tab refreshed first', async () => {
    const { refresh, requestRefresh, wait } = setUp();
    requestRefresh.mockRejectedValueOnce(refused('refresh_superseded')).mockResolvedValueOnce(restored('second'));
    expect((await refresh(null))?.accessToken).toBe('second');
    expect(wait).toHaveBeenCalledWith(300);
  });

  it('uses the session of the winning tab instead of retrying', async () => {
    const parts = setUp({ wait: async () => parts.hold('of the winner') });
    parts.requestRefresh.mockRejectedValueOnce(refused('refresh_superseded'));
    expect((await parts.refresh(null))?.accessToken).toBe('of the winner');
    expect(parts.requestRefresh).toHaveBeenCalledTimes(1);
  });

  it('signs out after losing twice', async () => {
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
    ['closed', 'closed'],
    ['expired', 'expired'],
    // Only a sign-out in this browser removes the cookie of an open session.
    [null, 'signed-out'],
  ] as const)('signs out with the reason of the server: %s', async (ended, reason) => {
    const { refresh, requestRefresh, store, hold, shareEnd } = setUp();
    hold('stale');
    requestRefresh.mockResolvedValue({ session: null, ended });
    expect(await refresh('stale')).toBeNull();
    expect(store.getState()).toEqual({ status: 'signed-out', reason });
    expect(shareEnd.mock.calls).toEqual(ended === null ? [] : [[ended]]);
  });

  it('says that the session ended when the browser has no cookie and the tab had no session', async () => {
    const { refresh, requestRefresh, store } = setUp();
    requestRefresh.mockResolvedValue({ session: null, ended: null });
    expect(await refresh(null)).toBeNull();
    expect(store.getState()).toEqual({ status: 'signed-out', reason: 'ended' });
  });

  it.each([
    ['no response', refused('network_error', 0)],
    ['a server error', refused('internal_error', 500)],
    ['too many requests', refused('rate_limited', 429)],
  ])('stays signed in after %s', async (_name, error) => {
    const { refresh, requestRefresh, store, hold } = setUp();
    hold('stale');
    requestRefresh.mockRejectedValue(error);
    await expect(refresh('stale')).rejects.toBe(error);
    expect(store.getState().status).toBe('signed-in');
  });

  it('sends no request when the person signs out while this tab waits', async () => {
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

  it('sends no request for a call that started before the sign-out, and keeps its reason', async () => {
    const { refresh, requestRefresh, store, hold } = setUp();
    hold('left');
    store.set({ status: 'signed-out', reason: 'signed-out' });
    requestRefresh.mockRejectedValue(refused('invalid_refresh_token'));
    expect(await refresh('left')).toBeNull();
    expect(requestRefresh).not.toHaveBeenCalled();
    expect(store.getState()).toEqual({ status: 'signed-out', reason: 'signed-out' });
  });

  it('keeps the reason of a sign-out when a page asks for a session afterwards', async () => {
    const { refresh, requestRefresh, store } = setUp();
    store.set({ status: 'signed-out', reason: 'signed-out' });
    requestRefresh.mockResolvedValue({ session: null, ended: null });
    expect(await refresh(null)).toBeNull();
    expect(store.getState()).toEqual({ status: 'signed-out', reason: 'signed-out' });
  });

  it('sends a request after a sign-out when no token is given', async () => {
    const { refresh, requestRefresh, store } = setUp();
    store.set({ status: 'signed-out', reason: 'signed-out' });
    requestRefresh.mockResolvedValue(restored('new'));
    expect((await refresh(null))?.accessToken).toBe('new');
  });

  it('does not use the session of another person', async () => {
    const { refresh, requestRefresh, store, hold, share } = setUp();
    hold('stale');
    requestRefresh.mockResolvedValue(restored('new', 'another'));
    expect(await refresh('stale')).toBeNull();
    expect(store.getState().status).toBe('replaced');
    expect(share).toHaveBeenCalledTimes(1);
    expect(await refresh(null)).toBeNull();
    expect(requestRefresh).toHaveBeenCalledTimes(1);
  });

  it('can be retried after a failure', async () => {
    const { refresh, requestRefresh } = setUp();
    requestRefresh.mockRejectedValueOnce(refused('network_error', 0)).mockResolvedValueOnce(restored('later'));
    await expect(refresh(null)).rejects.toThrow();
    expect((await refresh(null))?.accessToken).toBe('later');
  });
});

describe('refreshDelayMs', () => {
  const session = (expiresIn: number) => toSession({ ...answer('t'), expiresIn }, NOW_MS);

  it('refreshes a minute before expiry', () => {
    expect(refreshDelayMs(session(900), NOW_MS, 0)).toBe(840_000);
  });

  it('refreshes a short-lived token after four fifths of its lifetime', () => {
    expect(refreshDelayMs(session(10), NOW_MS, 0)).toBe(8000);
  });

  it('never waits past expiry, whatever the random delay', () => {
    for (const expiresIn of [5, 60, 900, 86_400]) {
      expect(refreshDelayMs(session(expiresIn), NOW_MS, 0.999)).toBeLessThan(expiresIn * 1000);
    }
  });

  it('refreshes immediately after expiry', () => {
    expect(refreshDelayMs(session(900), NOW_MS + 1_000_000, 0)).toBe(0);
  });
});
