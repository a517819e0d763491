'use client';

import { useEffect, useState } from 'react';
import { shouldRetry } from '@/components/auth-session/api-error';
import { sendRequest } from '@/components/auth-session/request';

const RETRY_AFTER_MS = 2000;
const MAX_RETRIES = 2;

interface Loaded<Preview> {
  token: string | undefined;
  data: Preview | undefined;
  error: unknown;
}

/**
 * Reads what the link of an email is for, without using it, and keeps it. Reads nothing without a token. `reload` reads it
 * again. Needs no cache, so these pages load no SWR.
 */
export function useLinkPreview<Preview>(path: string, token: string | undefined) {
  const [loaded, setLoaded] = useState<Loaded<Preview>>({ token: undefined, data: undefined, error: undefined });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round reads the same link again
  useEffect(() => {
    if (!token) return;
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (retries: number) => {
      try {
        const data = (await sendRequest(path, { method: 'POST', body: { token } })) as Preview;
        if (isCurrent) setLoaded({ token, data, error: undefined });
      } catch (error) {
        if (!isCurrent) return;
        setLoaded({ token, data: undefined, error });
        if (retries < MAX_RETRIES && shouldRetry(error))
          timer = setTimeout(() => void load(retries + 1), RETRY_AFTER_MS);
      }
    };
    void load(0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [path, token, round]);
  const isLoaded = token !== undefined && loaded.token === token;
  return {
    data: isLoaded ? loaded.data : undefined,
    error: isLoaded ? loaded.error : undefined,
    reload: () => setRound((current) => current + 1),
  };
}
