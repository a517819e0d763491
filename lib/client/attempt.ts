import { ApiError, NetworkError, TimeoutError } from './errors';
import { faultCodeOf } from './fault-code';
import { readProblem, unexpectedResponse } from './problem';
import { untilAborted } from './wait';

export interface Attempt<T> {
  fetch: typeof fetch;
  url: string;
  init: RequestInit & { method: string };
  timeoutMs: number;
  signal: AbortSignal | undefined;
  /** Reads a successful response. */
  read(response: Response): Promise<T>;
  /** The caller reads the body after the attempt; the signal still ends it. */
  isStream: boolean;
}

/**
 * Sends a request once, and reads its response.
 * @throws ApiError, NetworkError, TimeoutError, or the reason of the signal
 */
export async function attempt<T>(given: Attempt<T>): Promise<T> {
  const { signal, timeoutMs } = given;
  signal?.throwIfAborted();
  const place = `${given.init.method} ${new URL(given.url).pathname}`;
  const timeout = new TimeoutError(`${place} got no complete response within ${timeoutMs} ms.`, null);
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(timeout), timeoutMs);
  signal?.addEventListener('abort', stop);
  try {
    // A custom fetch may ignore the signal.
    return await untilAborted(exchange(given, controller.signal, place), controller.signal);
  } finally {
    clearTimeout(timer);
    if (!given.isStream) signal?.removeEventListener('abort', stop);
  }
}

async function exchange<T>({ fetch, url, init, read }: Attempt<T>, signal: AbortSignal, place: string): Promise<T> {
  try {
    // No cookie and no redirect: fetch would send X-API-Key to the server that a redirect names.
    const response = await fetch(url, { ...init, signal, redirect: 'manual', credentials: 'omit', cache: 'no-store' });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      throw unexpectedResponse(response, `${place} was redirected: check baseUrl.`);
    }
    if (!response.ok) throw await readProblem(response);
    return await read(response);
  } catch (fault) {
    if (signal.aborted) throw signal.reason;
    if (fault instanceof ApiError) throw fault;
    const code = faultCodeOf(fault);
    throw new NetworkError(`${place} failed: ${code ?? 'the server is not reachable'}.`, code);
  }
}
