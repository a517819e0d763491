import type { SignedIn } from '@/lib/auth/schema';

/** The session of this tab. It is only in memory, so that other pages cannot read it from storage. */
export interface Session extends SignedIn {
  /** When the access token expires, by this machine's clock, in epoch milliseconds. */
  expiresAtMs: number;
}

/** Why the person ended the session in this browser: `elsewhere` in another tab. */
export type SignOutReason = 'signed-out' | 'elsewhere' | 'account-deleted';
const SIGN_OUTS: ReadonlySet<string> = new Set<SignOutReason>(['signed-out', 'elsewhere', 'account-deleted']);

/**
 * Why the server refused to refresh: it closed the session on another device, the session expired, or, for `ended`, a tab
 * that had no session yet has no cookie.
 */
export type EndReason = 'closed' | 'expired' | 'ended';

export type SessionState =
  /** Before the response of the first refresh. */
  | { status: 'unknown' }
  | { status: 'signed-in'; session: Session }
  /** `kept` is the session that the server has ended while the page has forms whose changes were not sent: it stays open. */
  | { status: 'signed-out'; reason: EndReason | SignOutReason; kept?: Session }
  /** Another person signed in in this browser; the page is about to reload. */
  | { status: 'replaced' }
  /** The refresh failed; the person may still be signed in. */
  | { status: 'unreachable'; error: unknown };

const UNKNOWN: SessionState = { status: 'unknown' };

/** Holds the session of this tab and notifies listeners. */
export class SessionStore {
  #state: SessionState = UNKNOWN;
  readonly #listeners = new Set<() => void>();

  constructor(private readonly hasUnsaved: () => boolean = () => false) {}

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

  /** The ended session of a page that stays open; else null. */
  get kept(): Session | null {
    return this.#state.status === 'signed-out' ? (this.#state.kept ?? null) : null;
  }

  /** Closes a page that was kept open. */
  readonly leaveKept = (): void => {
    if (this.#state.status !== 'signed-out') return;
    this.#change({ status: 'signed-out', reason: this.#state.reason });
  };

  #change(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  /**
   * Sets the state. When another person signs in in another tab, the state becomes `replaced` and the page is reloaded,
   * since its data and pending requests belong to the previous person.
   */
  set(state: SessionState): void {
    if (this.#state.status === 'replaced') return;
    const holder = this.session ?? this.kept;
    if (isAnotherPerson(holder, state)) this.#change({ status: 'replaced' });
    else if (holder !== null && isEnd(state) && this.hasUnsaved()) this.#change({ ...state, kept: holder });
    else this.#change(state);
  }
}

function isEnd(state: SessionState): state is Extract<SessionState, { status: 'signed-out' }> {
  return state.status === 'signed-out' && !SIGN_OUTS.has(state.reason);
}

function isAnotherPerson(held: Session | null, next: SessionState): boolean {
  return held !== null && next.status === 'signed-in' && next.session.user.id !== held.user.id;
}

/** Adds the expiry of the token, by this machine's clock, to a response of the API. */
export function toSession(signedIn: SignedIn, nowMs: number): Session {
  return { ...signedIn, expiresAtMs: nowMs + signedIn.expiresIn * 1000 };
}
