import { apiFetch } from './api-fetch';

/** The SWR fetcher: a key is a path below /api/v1. */
export function fetchFromApi<T>(path: string): Promise<T> {
  return apiFetch<T>(path);
}
