import { networkError, parseApiError } from './api-error';
import { parseJson } from './parse-json';

export const API_BASE = '/api/v1';

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Keeps the request alive after its page closes: losing the response of a refresh would close the session as stolen. */
  keepalive?: boolean;
}

/**
 * Sends a request to the API without an access token. `path` starts below /api/v1.
 *
 * @throws ApiError for every response that is not 2xx, and when there is no response
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
