import type { RestoredSession } from '@/lib/auth/schema';
import { ApiError } from './api-error';
import type { RunExclusive } from './refresh-lock';
import type { EndReason, Session, SessionState, SignOutReason } from './session-store';
import { type SessionStore, toSession } from './session-store';

/** After `refresh_superseded`, waits for the cookie of the other tab's refresh before the only retry. */
const SUPERSEDED_WAIT_MS = 300;
const MESSAGE_WAIT_MS = 50;
const SIGN_OUT_WAIT_MS = 200;

export interface RefreshDependencies {
  store: SessionStore;
  runExclusive: RunExclusive;
  /** POST /auth/restore; throws ApiError. */
  requestRefresh: () => Promise<RestoredSession>;
  /** Shares the new session with other tabs. */
  share: (session: Session) => void;
  /** Tells other tabs why the server ended the session. Its answer removed the cookie, so only this tab was told. */
  shareEnd: (reason: EndReason) => void;
  wait: (ms: number) => Promise<void>;
  nowMs: () => number;
}

/**
 * Returns the function that refreshes the session with one request for all callers and tabs.
 *
 * A refresh token is single use, and using it twice closes the session as stolen. So tabs queue, and a tab that waited
 * uses the session that the previous one got. `stale` is the expired token of the caller; a newer session is returned
 * without a request. Resolves to null when the person is signed out or another person has signed in.
 * @throws ApiError when the server is unreachable or fails
 */
export function createRefresh(parts: RefreshDependencies): (stale: string | null) => Promise<Session | null> {
  let running: Promise<Session | null> | null = null;
  return (stale) => {
    const { status } = parts.store.getState();
    if (status === 'replaced') return Promise.resolve(null);
    // A call from before the sign-out: its refused refresh would replace the reason `signed-out` with `ended`.
    if (status === 'signed-out' && stale !== null) return Promise.resolve(null);
    const fresh = newerThan(parts.store.session, stale);
    if (fresh !== null) return Promise.resolve(fresh);
    running ??= parts
      .runExclusive(async (waited) => {
        // The lock can be released before the message of its last holder arrives.
        if (waited && newerThan(parts.store.session, stale) === null) await parts.wait(MESSAGE_WAIT_MS);
        if (hasSignedOut(parts.store, status)) return null;
        return newerThan(parts.store.session, stale) ?? renew(parts);
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
}

/** Whether the person signed out or was replaced while this tab waited. */
function hasSignedOut(store: SessionStore, statusBefore: SessionState['status']): boolean {
  const { status } = store.getState();
  return status !== statusBefore && (status === 'signed-out' || status === 'replaced');
}

function newerThan(session: Session | null, stale: string | null): Session | null {
  return session !== null && session.accessToken !== stale ? session : null;
}

async function renew(parts: RefreshDependencies): Promise<Session | null> {
  const before = parts.store.session;
  try {
    return await accept(parts, before, await parts.requestRefresh());
  } catch (error) {
    if (isCode(error, 'refresh_superseded')) return retryOnce(parts, before);
    return endUnlessTransient(parts, before, error);
  }
}

async function retryOnce(parts: RefreshDependencies, before: Session | null): Promise<Session | null> {
  await parts.wait(SUPERSEDED_WAIT_MS);
  const newer = newerThan(parts.store.session, before?.accessToken ?? null);
  if (newer !== null) return newer;
  try {
    return await accept(parts, before, await parts.requestRefresh());
  } catch (error) {
    return endUnlessTransient(parts, before, error);
  }
}

/** Returns null without a session, and when it belongs to another person, who has signed in with this browser's cookie. */
async function accept(
  parts: RefreshDependencies,
  before: Session | null,
  restored: RestoredSession,
): Promise<Session | null> {
  if (restored.session === null) {
    if (restored.ended !== null) parts.shareEnd(restored.ended);
    return end(parts, before, restored.ended ?? withoutCookie(before));
  }
  const session = toSession(restored.session, parts.nowMs());
  parts.store.set({ status: 'signed-in', session });
  parts.share(session);
  return parts.store.session;
}

/**
 * Returns why there is no cookie. It lives as long as the session, so a tab that had one sees that another tab signed out,
 * perhaps before that tab's message arrives.
 */
function withoutCookie(before: Session | null): EndReason | SignOutReason {
  return before === null ? 'ended' : 'signed-out';
}

async function endUnlessTransient(
  parts: RefreshDependencies,
  before: Session | null,
  error: unknown,
): Promise<Session | null> {
  if (error instanceof ApiError && error.status === 401) return end(parts, before, 'ended');
  const newer = newerThan(parts.store.session, before?.accessToken ?? null);
  if (newer !== null) return newer;
  throw error;
}

/** Ends the session of this tab, unless another tab has shared a newer one or has signed out. */
async function end(
  parts: RefreshDependencies,
  before: Session | null,
  reason: EndReason | SignOutReason,
): Promise<Session | null> {
  // The server tells this tab of a deleted account, perhaps before the message of the tab that deleted it arrives.
  if (before !== null) await parts.wait(SIGN_OUT_WAIT_MS);
  // A page that is about to close asks for a session, and gets none. The reason of the sign-out says where to go.
  if (parts.store.getState().status === 'signed-out') return null;
  if (before !== null && parts.store.session === null) return null;
  const newer = newerThan(parts.store.session, before?.accessToken ?? null);
  if (newer !== null) return newer;
  parts.store.set({ status: 'signed-out', reason });
  return null;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

/** Returns when to refresh: a minute before expiry, or after four fifths of a short lifetime, plus up to 5 s at random. */
export function refreshDelayMs(session: Session, nowMs: number, random: number): number {
  const lifetimeMs = session.expiresIn * 1000;
  const leadMs = Math.min(60_000, lifetimeMs / 5);
  return Math.max(0, session.expiresAtMs - leadMs - nowMs) + random * Math.min(5000, leadMs / 2);
}
