import type { SignedIn } from '@/lib/auth/schema';
import type { Session, SessionState } from './types';

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
