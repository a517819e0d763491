import { ApiError } from './api-error';
import { apiFetch } from './api-fetch';

/** The one SWR fetcher: a key is a path below /api/v1. */
export function fetchFromApi<T>(path: string): Promise<T> {
  return apiFetch<T>(path);
}

/** Only what may pass by itself is tried again: no answer, too many requests, a fault of the server. */
export function shouldRetry(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
