import { ApiError, NetworkError } from './errors';
import type { Verb } from './path';

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
