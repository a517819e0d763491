'use client';

import { ApiError } from '@/components/auth-session/api-error';
import { ErrorPanel } from './error-panel';
import { MissingPage } from './missing-page';

/** Why a resource is not shown: it does not exist (with a way back), or loading failed (with a retry). */
export function LoadFailure({
  what,
  error,
  onRetry,
  back,
}: {
  /** In lower case: "endpoint". */
  what: string;
  error: unknown;
  onRetry: () => void;
  /** The list that the resource would be in. */
  back: { href: string; label: string };
}) {
  if (!(error instanceof ApiError) || error.status !== 404) {
    return <ErrorPanel what={`We couldn’t load the ${what}`} error={error} onRetry={onRetry} />;
  }
  const title = `${what.charAt(0).toUpperCase()}${what.slice(1)} not found`;
  return <MissingPage title={title} sentence="Check the URL. It may have been deleted." back={back} />;
}
