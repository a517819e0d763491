'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { ApiError, shouldRetry } from '@/components/auth-session/api-error';
import { sendRequest } from '@/components/auth-session/request';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Link } from '@/components/ui/link';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import { AuthHeading } from './auth-form';
import { FocusedNotice } from './cool-down';

/**
 * Returns the token of the emailed link; empty when there is none. Removes it from the address bar, so that no history,
 * bookmark, screenshot or referrer keeps it.
 */
export function useLinkToken(): string {
  const query = useSearchParams();
  const [token] = useState(() => query.get('token') ?? '');
  useEffect(() => {
    if (window.location.search !== '') window.history.replaceState(null, '', window.location.pathname);
  }, []);
  return token;
}

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

/** Whether a request was refused because of the emailed link rather than the form. */
export function isInvalidLink(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'invalid_token' || error.errors.some(({ path }) => path === 'token');
}

/** Says that an emailed link is invalid, why, and where to get another. */
export function InvalidLink({
  title,
  explanation,
  takesFocus,
  action,
}: {
  title: string;
  explanation: string;
  /** Whether the notice follows a click, rather than the opening of the link. */
  takesFocus: boolean;
  action: { label: string; href: string };
}) {
  const notice = (
    <Callout tone="danger" role="alert">
      <p className="font-medium">This link is no longer valid.</p>
      <p className="mt-1">{explanation}</p>
    </Callout>
  );
  return (
    <>
      <AuthHeading title={title} />
      <div className="grid gap-4">
        {takesFocus ? <FocusedNotice>{notice}</FocusedNotice> : notice}
        <Button asChild variant="primary" size="lg">
          <Link href={action.href}>{action.label}</Link>
        </Button>
      </div>
    </>
  );
}

/** The page of an emailed link while the link is read: a heading, its content and a button. */
export function LinkSkeleton({ heading, content }: { heading: string; content: string }) {
  return (
    <div>
      <LoadingLabel />
      <Skeleton className={`h-7 ${heading}`} />
      <Skeleton className={`mt-6 w-full ${content}`} />
      <Skeleton className="mt-4 h-10 w-full" />
    </div>
  );
}
