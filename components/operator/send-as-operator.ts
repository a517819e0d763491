import { ApiError } from '@/components/auth-session/api-error';
import { type RequestOptions, sendRequest } from '@/components/auth-session/request';

const ADMIN_BASE = '/admin';

/** The characters a header can contain. A token with others cannot be valid. */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * Sends a request to a path below /api/v1/admin, with the operator's token or without one.
 * @throws ApiError
 */
export function sendAsOperator(token: string | null, path: string, options: RequestOptions = {}): Promise<unknown> {
  if (token === null) return sendRequest(ADMIN_BASE + path, options);
  if (!SENDABLE.test(token)) return Promise.reject(wrongToken());
  return sendRequest(ADMIN_BASE + path, { ...options, headers: { 'X-Platform-Admin-Token': token } });
}

function wrongToken(): ApiError {
  return new ApiError({ status: 401, code: 'invalid_admin_token', detail: 'The token is invalid.', requestId: null });
}

/** Whether PLATFORM_ADMIN_TOKEN is empty, so that the operator API answers 404. */
export function isOperatorDisabled(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

export function isWrongToken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_admin_token';
}
