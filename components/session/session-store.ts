import type { SignedIn } from '@/lib/auth/schema';
import type { Session, SessionState } from './types';

const UNKNOWN: SessionState = { status: 'unknown' };

/** Holds the session of this tab and tells those who watch it. */
export class SessionStore {
  #state: SessionState = UNKNOWN;
  readonly #watchers = new Set<() => void>();

  readonly getState = (): SessionState => this.#state;
  /** On the server nobody is known: pages draw their skeleton. */
  readonly getServerState = (): SessionState => UNKNOWN;

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  get session(): Session | null {
    return this.#state.status === 'signed-in' ? this.#state.session : null;
  }

  set(state: SessionState): void {
    this.#state = state;
    for (const watcher of this.#watchers) watcher();
  }
}

/** Adds to an answer of the API when its token ends by this machine's clock. */
export function toSession(answer: SignedIn, nowMs: number): Session {
  return { ...answer, expiresAtMs: nowMs + answer.expiresIn * 1000 };
}
