'use client';

import useSWRImmutable from 'swr/immutable';
import { sendRequest } from '@/components/auth-session/request';
import { shouldRetry } from '@/components/auth-session/swr-fetcher';

/** Reads what the link of an email is for, without using it. Reads nothing without a token. */
export function useLinkPreview<Preview>(path: string, token: string | undefined) {
  return useSWRImmutable(
    token ? [path, token] : null,
    async () => (await sendRequest(path, { method: 'POST', body: { token } })) as Preview,
    { shouldRetryOnError: shouldRetry, errorRetryCount: 2, errorRetryInterval: 2000 },
  );
}
