import { ApiError } from './api-error';
import { apiFetch } from './api-fetch';

/** The SWR fetcher: a key is a path below /api/v1. */
export function fetchFromApi<T>(path: string): Promise<T> {
  return apiFetch<T>(path);
}

/** Whether SWR retries: only without a response, after a rate limit, or after a server error. */
export function shouldRetry(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
