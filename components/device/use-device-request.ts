'use client';

import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import type { DeviceRequest } from '@/lib/auth/schema';

/**
 * Loads the request of a user code. Never retries or reloads on its own: each lookup counts against the limit on
 * guessing codes.
 */
export function useDeviceRequest(userCode: string | null) {
  const { data, error, isValidating, mutate } = useSWR<DeviceRequest>(
    userCode === null ? null : `/auth/device?${new URLSearchParams({ userCode })}`,
    { revalidateOnFocus: false, revalidateOnReconnect: false, revalidateIfStale: false, shouldRetryOnError: false },
  );
  const answer = (verb: 'approve' | 'deny') =>
    apiFetch(`/auth/device/${verb}`, { method: 'POST', body: { userCode } }).then(() => undefined);
  return {
    request: data,
    error: isValidating ? undefined : (error as unknown),
    loading: isValidating && data === undefined,
    lookAgain: () => mutate(undefined, { revalidate: true }),
    approve: () => answer('approve'),
    deny: () => answer('deny'),
  };
}
