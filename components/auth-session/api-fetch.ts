import { ApiError } from './api-error';
import { type RequestOptions, sendRequest } from './request';
import { refreshSession, sessionStore } from './session';
import type { Session } from './session-store';

/**
 * Sends a request to the API as the signed-in person. Refreshes an expired token and retries once.
 *
 * @throws ApiError
 */
export async function apiFetch<T = unknown>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await withAccessToken((token) => sendRequest(path, withToken(options, token)))) as T;
}

/**
 * Calls `send` with the access token, and once more with a new one when it has expired.
 *
 * @throws ApiError
 */
export async function withAccessToken<T>(send: (token: string) => Promise<T>): Promise<T> {
  // Without a request for a page that stays open after its session has ended.
  const session = sessionStore.session ?? (await refreshOrThrow(sessionStore.kept));
  try {
    return await send(session.accessToken);
  } catch (error) {
    if (!isTokenError(error)) throw error;
    return send((await refreshOrThrow(session)).accessToken);
  }
}

/** Includes `unauthenticated`: the session may have been closed elsewhere, which only a refresh can tell. */
function isTokenError(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'token_expired' || error.code === 'unauthenticated');
}

async function refreshOrThrow(stale: Session | null): Promise<Session> {
  const session = await refreshSession(stale?.accessToken ?? null);
  // Another person may have signed in meanwhile, who did not make the request.
  if (session !== null && (stale === null || stale.user.id === session.user.id)) return session;
  throw new ApiError({ status: 401, code: 'signed_out', detail: 'You’re signed out.' });
}

function withToken(options: RequestOptions, token: string): RequestOptions {
  return { ...options, headers: { ...options.headers, Authorization: `Bearer ${token}` } };
}

/** The SWR fetcher: a key is a path below /api/v1. */
export function fetchFromApi<T>(path: string): Promise<T> {
  return apiFetch<T>(path);
}
