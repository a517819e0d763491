import { checkedHeaders } from './headers';

/** Milliseconds that an attempt may take when no option says otherwise. */
export const DEFAULT_TIMEOUT_MS = 30_000;
export const DEFAULT_RETRIES = 3;
/** More retries would hide an outage for minutes. */
export const MAX_RETRIES = 10;
/** The longest delay of setTimeout; with a longer one it fires at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export interface ClientOptions {
  /** Where the service is, such as https://events.example.com. */
  baseUrl: string;
  /** The key of a project. */
  apiKey?: string;
  /** Returns the access token of a person, or the token of a portal session, which opens `portal` alone. Called before each attempt, so that it can refresh the token. */
  accessToken?: () => Promise<string> | string;
  /** For calls that do not give one. */
  projectId?: string;
  /** Milliseconds that each attempt may take, with its response; default 30,000. */
  timeoutMs?: number;
  /** Attempts after the first; default 3, at most 10. */
  maxRetries?: number;
  fetch?: typeof fetch;
  /** Sent with every request. */
  headers?: Record<string, string>;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call at once, also while it waits for a retry; the call throws the reason of the signal. */
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
}

/** Options of a call that needs a project. */
export interface ProjectOptions extends CallOptions {
  projectId?: string;
}

/** Options of a call that sends an event. */
export interface SendOptions extends CallOptions {
  /** Calls with the same key store one event. Default: a new UUID for each call. */
  idempotencyKey?: string;
}

/**
 * Returns the base URL without a slash at its end.
 * @throws TypeError when an option cannot be used; the message contains no credential
 */
export function checkOptions(options: ClientOptions): string {
  const { apiKey, accessToken } = options;
  if (apiKey !== undefined && accessToken !== undefined) throw new TypeError('Set apiKey or accessToken, not both.');
  if (accessToken !== undefined && typeof accessToken !== 'function')
    throw new TypeError('accessToken must be a function.');
  checkedHeaders(options.headers ?? {});
  if (apiKey !== undefined) checkedHeaders({ 'X-API-Key': apiKey });
  checkLimits(options);
  return checkBaseUrl(options.baseUrl);
}

/** @throws TypeError when a limit is out of its range */
export function checkLimits({ timeoutMs, maxRetries }: Pick<CallOptions, 'timeoutMs' | 'maxRetries'>): void {
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new TypeError(`timeoutMs must be from 1 to ${MAX_TIMEOUT_MS}.`);
  }
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0 && maxRetries <= MAX_RETRIES)) {
    throw new TypeError(`maxRetries must be a whole number from 0 to ${MAX_RETRIES}.`);
  }
}

function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be an http or https URL.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must not have a username, password, query or fragment.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
