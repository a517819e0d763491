import type { SignedIn } from '@/lib/auth/schema';

/** The session of this tab. It is only in memory, so that other pages cannot read it from storage. */
export interface Session extends SignedIn {
  /** When the access token expires, by this machine's clock, in epoch milliseconds. */
  expiresAtMs: number;
}

/** Why the person ended the session in this browser. */
export type SignOutReason = 'signed-out' | 'account-deleted';

/**
 * Why the server refused to refresh: it closed the session on another device, the session expired, or, for `ended`, a tab
 * that had no session yet has no cookie.
 */
export type EndReason = 'closed' | 'expired' | 'ended';

export type SessionState =
  /** Before the response of the first refresh. */
  | { status: 'unknown' }
  | { status: 'signed-in'; session: Session }
  | { status: 'signed-out'; reason: EndReason | SignOutReason }
  /** Another person signed in in this browser; the page is about to reload. */
  | { status: 'replaced' }
  /** The refresh failed; the person may still be signed in. */
  | { status: 'unreachable'; error: unknown };

const UNKNOWN: SessionState = { status: 'unknown' };

/** Holds the session of this tab and notifies listeners. */
export class SessionStore {
  #state: SessionState = UNKNOWN;
  readonly #listeners = new Set<() => void>();

  readonly getState = (): SessionState => this.#state;
  /** On the server the session is unknown, so pages render their skeleton. */
  readonly getServerState = (): SessionState => UNKNOWN;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get session(): Session | null {
    return this.#state.status === 'signed-in' ? this.#state.session : null;
  }

  /**
   * Sets the state. When another person signs in in another tab, the state becomes `replaced` and the page is reloaded,
   * since its data and pending requests belong to the previous person.
   */
  set(state: SessionState): void {
    if (this.#state.status === 'replaced') return;
    this.#state = isAnotherPerson(this.session, state) ? { status: 'replaced' } : state;
    for (const listener of this.#listeners) listener();
  }
}

function isAnotherPerson(held: Session | null, next: SessionState): boolean {
  return held !== null && next.status === 'signed-in' && next.session.user.id !== held.user.id;
}

/** Adds the expiry of the token, by this machine's clock, to a response of the API. */
export function toSession(signedIn: SignedIn, nowMs: number): Session {
  return { ...signedIn, expiresAtMs: nowMs + signedIn.expiresIn * 1000 };
}
