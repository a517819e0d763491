import { networkError, parseApiError } from './api-error';

export const API_BASE = '/api/v1';

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  /** The JSON of a body whose numbers must stay as they are. */
  bodyText?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Keeps the request alive after its page closes: losing the response of a refresh would close the session as stolen. */
  keepalive?: boolean;
  /** `omit` for what must neither send nor get a cookie. */
  credentials?: 'omit';
}

/**
 * Sends a request to the API without an access token. `path` starts below /api/v1.
 *
 * @throws ApiError for every response that is not 2xx, and when there is no response
 */
export async function sendRequest(path: string, options: RequestOptions = {}): Promise<unknown> {
  const { method = 'GET', body, headers = {}, signal, keepalive = false, credentials = 'same-origin' } = options;
  const { bodyText = body === undefined ? undefined : JSON.stringify(body) } = options;
  const init: RequestInit = {
    method,
    headers: { Accept: 'application/json', ...headers },
    credentials,
    cache: 'no-store',
    keepalive,
  };
  if (signal !== undefined) init.signal = signal;
  if (bodyText !== undefined) {
    init.body = bodyText;
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

interface SourceAwareJson {
  parse(text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown): unknown;
  rawJSON?(text: string): unknown;
}

const json = JSON as SourceAwareJson;

/**
 * Parses JSON and keeps the digits of numbers that JavaScript would round or format differently (2^53 and above,
 * `129.00`), in browsers with JSON.rawJSON.
 */
export function parseJson(text: string): unknown {
  if (json.rawJSON === undefined) return JSON.parse(text);
  try {
    return json.parse(text, (_key, value, context) => {
      const source = context?.source;
      return typeof value !== 'number' || source === undefined || String(value) === source
        ? value
        : json.rawJSON?.(source);
    });
  } catch {
    // A reviver is called recursively, so deeply nested data overflows the stack.
    return JSON.parse(text);
  }
}
