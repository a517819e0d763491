import { ApiError, NetworkError, TimeoutError } from './errors';
import { readProblem, unexpectedResponse } from './read-response';

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
    throw new NetworkError(`${place} failed: ${code ?? reasonOf(fault) ?? 'the server is not reachable'}.`, code);
  }
}

/** Returns the system's code of a network fault, such as ECONNRESET; null in browsers, which hide it. */
export function faultCodeOf(fault: unknown): string | null {
  // The cause of fetch's error is the system's error.
  for (const each of [fault, (fault as { cause?: unknown } | null)?.cause]) {
    const code = (each as { code?: unknown } | null | undefined)?.code;
    if (typeof code === 'string' && /^[A-Z][A-Z_]{2,39}$/.test(code)) return code;
  }
  return null;
}

/** Returns why Node sends a request nowhere, such as `bad port`; null when it does not say. */
function reasonOf(fault: unknown): string | null {
  const message = (fault as { cause?: { message?: unknown } } | null)?.cause?.message;
  return typeof message === 'string' && /^[\w .:-]{1,80}$/.test(message) ? message : null;
}

/**
 * Waits until `promise` settles or the signal aborts.
 * @throws the reason of the signal
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

/**
 * Waits some milliseconds.
 * @throws the reason of the signal, at once
 */
export function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return untilAborted(elapsed, signal).finally(() => clearTimeout(timer));
}
