import { ApiError, networkError, parseApiError } from '@/components/auth-session/api-error';
import { API_BASE, type RequestOptions, sendRequest } from '@/components/auth-session/request';
import type { OpenedPortalSession } from '@/lib/portal/schema';

/** A session, and how long it lasts from when it was opened. */
export interface OpenSession extends OpenedPortalSession {
  lastsMs: number;
}

/** What the page knows of its session. The token is in memory alone. */
export type PortalState =
  | { status: 'loading' }
  /** Opened without a link, or loaded again. */
  | { status: 'without-link' }
  /** With the session that ended before, if any: what is typed in it stays. */
  | { status: 'refused'; error: unknown; link: string; session: OpenSession | null }
  | { status: 'open' | 'ended'; session: OpenSession };

/** Returns the session that the page shows, or hides until it continues. */
export const sessionOf = (state: PortalState): OpenSession | null => ('session' in state ? state.session : null);

/** Keeps the session of a portal, and tells when it changes. */
export class PortalSessionStore {
  #state: PortalState = { status: 'loading' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of links opened so far, and which of them the session is of. */
  #opened = 0;
  #current = 0;
  readonly #listeners = new Set<() => void>();

  readonly read = (): PortalState => this.#state;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /**
   * Exchanges a link for a session. One that is refused, or none, changes nothing while a session is open. Of two links at once, the
   * one that was opened last wins, whichever is answered first: they may be of two customers.
   */
  readonly open = async (link: string | null): Promise<void> => {
    if (link === null) {
      if (this.#state.status === 'loading') this.#show({ status: 'without-link' });
      return;
    }
    this.#opened += 1;
    const number = this.#opened;
    try {
      const session = await exchange(link);
      if (number < this.#current) return;
      this.#current = number;
      this.#show({ status: 'open', session });
      clearTimeout(this.#timer);
      this.#timer = setTimeout(this.#end, session.lastsMs);
    } catch (error) {
      if (number !== this.#opened || this.#state.status === 'open') return;
      this.#show({ status: 'refused', error, link, session: sessionOf(this.#state) });
    }
  };

  /**
   * Sends a request as the customer. The session ends when the API says so.
   * @param path below /api/v1/portal
   * @throws ApiError
   */
  readonly fetch = async <T = unknown>(path: string, options: RequestOptions = {}): Promise<T> => {
    const state = this.#state;
    const token = sessionOf(state)?.token ?? '';
    const headers = { ...options.headers, Authorization: `Bearer ${token}` };
    try {
      return (await sendRequest(`/portal${path}`, { ...options, headers, credentials: 'omit' })) as T;
    } catch (error) {
      // A new link may have been opened meanwhile.
      if (error instanceof ApiError && error.status === 401 && this.#state === state) this.#end();
      throw error;
    }
  };

  readonly #end = () => {
    if (this.#state.status === 'open') this.#show({ status: 'ended', session: this.#state.session });
  };

  #show(state: PortalState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The page shows customers of one project, whatever link it gets. */
const projectOfPage = () => window.location.pathname.split('/')[2];

/** @throws ApiError */
async function exchange(link: string): Promise<OpenSession> {
  const response = await fetch(`${API_BASE}/portal/sessions`, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ link, projectId: projectOfPage() }),
  }).catch(() => {
    throw networkError();
  });
  if (!response.ok) throw await parseApiError(response);
  const session = (await response.json()) as OpenedPortalSession;
  // The clock of the reader may be wrong, so the time left is measured by that of the service.
  const now = response.headers.get('Date');
  return { ...session, lastsMs: Date.parse(session.expiresAt) - (now === null ? Date.now() : Date.parse(now)) };
}
