import type { SignedIn } from '@/lib/auth/schema';
import type { Session, SessionState } from './types';

const UNKNOWN: SessionState = { status: 'unknown' };

/** Holds the session of this tab and tells those who watch it. */
export class SessionStore {
  #state: SessionState = UNKNOWN;
  readonly #listeners = new Set<() => void>();

  readonly getState = (): SessionState => this.#state;
  /** On the server nobody is known: pages draw their skeleton. */
  readonly getServerState = (): SessionState => UNKNOWN;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get session(): Session | null {
    return this.#state.status === 'signed-in' ? this.#state.session : null;
  }

  /**
   * One page never goes from one person to another, as it would when somebody else signs in in another tab: what it shows
   * and what it is about to send belong to the first. It ends instead, and is loaded anew.
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

/** Adds to an answer of the API when its token ends by this machine's clock. */
export function toSession(answer: SignedIn, nowMs: number): Session {
  return { ...answer, expiresAtMs: nowMs + answer.expiresIn * 1000 };
}
