import type { SignedIn } from '@/lib/auth/schema';
import { ApiError } from './api-error';
import type { RunExclusive } from './refresh-lock';
import { type SessionStore, toSession } from './session-store';
import type { Session, SessionState } from './types';

/** A loser waits this long for the winner's cookie to be set before its one more try (CONTRACT: `refresh_superseded`). */
const SUPERSEDED_WAIT_MS = 300;
const MESSAGE_WAIT_MS = 50;

export interface RefreshDependencies {
  store: SessionStore;
  runExclusive: RunExclusive;
  /** POST /auth/refresh; throws ApiError. */
  requestRefresh: () => Promise<SignedIn>;
  /** Hands the new session to the other tabs. */
  share: (session: Session) => void;
  wait: (ms: number) => Promise<void>;
  nowMs: () => number;
}

/**
 * Makes the one function that renews the session: one request for any number of callers and tabs.
 *
 * A refresh token is single use and spending one twice closes its session as theft, so tabs queue, and a tab that had to
 * queue takes what the one before it got. `stale` is the token the caller found wanting; a newer one is returned as is.
 * Resolves to null when the person is signed out or another has signed in; throws when the server could not say.
 */
export function createRefresh(parts: RefreshDependencies): (stale: string | null) => Promise<Session | null> {
  let running: Promise<Session | null> | null = null;
  return (stale) => {
    const { status } = parts.store.getState();
    if (status === 'replaced') return Promise.resolve(null);
    // What was under way when the session was left: a refresh, refused now, would pass a sign-out off as an ended session.
    if (status === 'signed-out' && stale !== null) return Promise.resolve(null);
    const fresh = newerThan(parts.store.session, stale);
    if (fresh !== null) return Promise.resolve(fresh);
    running ??= parts
      .runExclusive(async (waited) => {
        // The lock can be freed before the message of its last holder has arrived.
        if (waited && newerThan(parts.store.session, stale) === null) await parts.wait(MESSAGE_WAIT_MS);
        if (hasLeft(parts.store, status)) return null;
        return newerThan(parts.store.session, stale) ?? renew(parts);
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
}

/** Whether the person signed out, or was replaced by another, while this tab was in the queue. */
function hasLeft(store: SessionStore, statusBefore: SessionState['status']): boolean {
  const { status } = store.getState();
  return status !== statusBefore && (status === 'signed-out' || status === 'replaced');
}

function newerThan(session: Session | null, stale: string | null): Session | null {
  return session !== null && session.accessToken !== stale ? session : null;
}

async function renew(parts: RefreshDependencies): Promise<Session | null> {
  const before = parts.store.session;
  try {
    return accept(parts, await parts.requestRefresh());
  } catch (error) {
    if (isCode(error, 'refresh_superseded')) return retryOnce(parts, before);
    return endUnlessTransient(parts, before, error);
  }
}

async function retryOnce(parts: RefreshDependencies, before: Session | null): Promise<Session | null> {
  await parts.wait(SUPERSEDED_WAIT_MS);
  const given = newerThan(parts.store.session, before?.accessToken ?? null);
  if (given !== null) return given;
  try {
    return accept(parts, await parts.requestRefresh());
  } catch (error) {
    return endUnlessTransient(parts, before, error);
  }
}

/** Null when the answer is another person's: the cookie has become theirs, and this tab learns it here. */
function accept(parts: RefreshDependencies, answer: SignedIn): Session | null {
  const session = toSession(answer, parts.nowMs());
  parts.store.set({ status: 'signed-in', session });
  parts.share(session);
  return parts.store.session;
}

function endUnlessTransient(parts: RefreshDependencies, before: Session | null, error: unknown): Session | null {
  const given = newerThan(parts.store.session, before?.accessToken ?? null);
  if (given !== null) return given;
  if (error instanceof ApiError && error.status === 401) {
    parts.store.set({ status: 'signed-out', reason: 'ended' });
    return null;
  }
  throw error;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

/** When to renew ahead of time: a minute before the end, or at four fifths of a short life; plus up to 5 s by tab. */
export function refreshDelayMs(session: Session, nowMs: number, random: number): number {
  const lifetimeMs = session.expiresIn * 1000;
  const leadMs = Math.min(60_000, lifetimeMs / 5);
  return Math.max(0, session.expiresAtMs - leadMs - nowMs) + random * Math.min(5000, leadMs / 2);
}
