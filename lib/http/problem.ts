import { config } from '@/lib/platform/config/config';
import { type AppError, type ErrorCode, isAppError, statusOfError } from '@/lib/platform/errors';
import type { ApiResponse } from './api-response';

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Payload too large',
  415: 'Unsupported media type',
  423: 'Locked',
  426: 'Upgrade required',
  429: 'Too many requests',
  500: 'Internal error',
  501: 'Not supported',
  502: 'Bad gateway',
  503: 'Unavailable',
  504: 'Gateway timeout',
};

/**
 * Turns an error into a response: application/problem+json (RFC 9457) with `code` and `requestId`. The message of an error
 * that is not an AppError is only logged: it may contain SQL or a secret.
 */
export function toProblem(error: unknown, requestId: string): ApiResponse {
  return isAppError(error) ? problemOf(error, requestId) : unexpectedProblem(requestId);
}

function problemOf(error: AppError, requestId: string): ApiResponse {
  const { extra, retryAfterSeconds, headers, cookies } = error.options;
  const status = statusOfError(error.code);
  // Every 400 has `errors` (docs/specification.md#api-conventions); an empty path is the entire request.
  const errors = error.options.errors ?? (status === 400 ? [{ path: '', message: error.message }] : undefined);
  return {
    status,
    raw: problemDocument(error.code, error.message, requestId, {
      ...(errors === undefined ? {} : { errors }),
      ...extra,
    }),
    headers: {
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      ...headers,
    },
    ...(cookies === undefined ? {} : { cookies }),
  };
}

function unexpectedProblem(requestId: string): ApiResponse {
  const detail = 'Something went wrong on our side. Try again, or report the request ID.';
  return { status: 500, raw: problemDocument('internal_error', detail, requestId, {}) };
}

function problemDocument(code: ErrorCode, detail: string, requestId: string, members: Record<string, unknown>) {
  const status = statusOfError(code);
  const type = `${config().baseUrl}/docs/errors#${code}`;
  const content = JSON.stringify({ type, title: TITLES[status], status, detail, code, requestId, ...members });
  return { contentType: 'application/problem+json', content };
}
