import { networkError, parseApiError } from './api-error';
import { parseJson } from './parse-json';

export const API_BASE = '/api/v1';

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Lets the request outlive its page: a refresh whose answer is lost would close the session as theft. */
  keepalive?: boolean;
}

/**
 * One request to the API, without credentials of its own. `path` starts below /api/v1.
 *
 * @throws ApiError on every answer that is not 2xx, and on none at all
 */
export async function sendRequest(path: string, options: RequestOptions = {}): Promise<unknown> {
  const { method = 'GET', body, headers = {}, signal, keepalive = false } = options;
  const init: RequestInit = {
    method,
    headers: { Accept: 'application/json', ...headers },
    credentials: 'same-origin',
    cache: 'no-store',
    keepalive,
  };
  if (signal !== undefined) init.signal = signal;
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { ...init.headers, 'Content-Type': 'application/json' };
  }
  const response = await fetch(API_BASE + path, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw networkError();
  });
  if (!response.ok) throw await parseApiError(response);
  if (response.status === 204) return undefined;
  const text = await response.text().catch(() => {
    throw networkError();
  });
  return text === '' ? undefined : parseJson(text);
}
