import { ApiError, NetworkError } from './errors';
import type { Verb } from './path';

const BASE_MS = 500;
/** The longest backoff, in milliseconds. */
export const MAX_BACKOFF_MS = 8_000;
/** The longest Retry-After that a call waits for, in milliseconds. */
export const MAX_RETRY_AFTER_MS = 60_000;

const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const REPEATABLE_VERBS: ReadonlySet<Verb> = new Set(['GET', 'PUT', 'DELETE']);
/** No connection was made, so no request was sent. */
const UNSENT_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

interface SentRequest {
  verb: Verb;
  idempotencyKey: string | null;
}

/**
 * Tells whether a failed request may be sent again. A request that is not idempotent is repeated only if the server
 * certainly did nothing.
 */
export function mayRetry({ verb, idempotencyKey }: SentRequest, error: unknown): boolean {
  if (REPEATABLE_VERBS.has(verb) || idempotencyKey !== null) return isTemporary(error);
  return isUnprocessed(error);
}

function isTemporary(error: unknown): boolean {
  return error instanceof ApiError ? TEMPORARY_STATUSES.has(error.status) : error instanceof NetworkError;
}

function isUnprocessed(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof NetworkError && UNSENT_CODES.has(error.faultCode);
  return error.status === 429 || (error.status === 503 && error.retryAfterSeconds !== null);
}

interface Wait {
  /** Retries so far. */
  retries: number;
  retryAfterSeconds: number | null;
  /** From 0 to 1. */
  random: number;
}

/**
 * Returns the milliseconds to wait before a retry: exponential backoff with full jitter, after the Retry-After of the response.
 * Null when the server asks to wait longer than MAX_RETRY_AFTER_MS: an earlier retry would only be rejected again.
 */
export function retryDelayMs({ retries, retryAfterSeconds, random }: Wait): number | null {
  const backoffMs = Math.floor(random * Math.min(MAX_BACKOFF_MS, BASE_MS * 2 ** retries));
  const askedMs = (retryAfterSeconds ?? 0) * 1000;
  return askedMs > MAX_RETRY_AFTER_MS ? null : askedMs + backoffMs;
}

/**
 * Parses a Retry-After of seconds or an HTTP date (RFC 9110, 10.2.3) into seconds from now, rounded up; null for anything else.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  // Only dates start with a letter. Date.parse would read "-5" as a year.
  const atMs = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}
