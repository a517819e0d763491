import { ApiError } from './api-error';
import { type RequestOptions, sendRequest } from './request';
import { refreshSession, sessionStore } from './session';

/**
 * One request to the API as the signed-in person. An expired token is renewed and the request sent once more.
 *
 * @throws ApiError
 */
export async function apiFetch<T = unknown>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await withAccessToken((token) => sendRequest(path, withToken(options, token)))) as T;
}

/**
 * Sends with the person's token; when that has expired, once more with a new one.
 *
 * @throws ApiError
 */
export async function withAccessToken<T>(send: (token: string) => Promise<T>): Promise<T> {
  const token = sessionStore.session?.accessToken ?? (await renewOrThrow(null));
  try {
    return await send(token);
  } catch (error) {
    if (!isTokenRefusal(error)) throw error;
    return send(await renewOrThrow(token));
  }
}

/** `unauthenticated` too: the session may have been closed elsewhere, and only the refresh can tell. */
function isTokenRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'token_expired' || error.code === 'unauthenticated');
}

async function renewOrThrow(stale: string | null): Promise<string> {
  const session = await refreshSession(stale);
  if (session !== null) return session.accessToken;
  throw new ApiError({ status: 401, code: 'signed_out', detail: 'You are signed out.', requestId: null });
}

function withToken(options: RequestOptions, token: string): RequestOptions {
  return { ...options, headers: { ...options.headers, Authorization: `Bearer ${token}` } };
}
