'use client';

import { CloudAlert, RotateCw, SearchX } from 'lucide-react';
import { ApiError, describeError } from '@/components/auth-session/api-error';
import { Button } from './button';
import { cn } from './cn';
import { RequestId } from './inline-error';
import { Link } from './link';

/** Shows what failed and why, with a retry button and the request id for support. */
export function ErrorPanel({
  what,
  error,
  onRetry,
  className,
}: {
  /** What failed, without a period: "We couldn’t load the events". */
  what: string;
  error: unknown;
  onRetry?: () => void;
  className?: string;
}) {
  const { detail, requestId } = describeError(error);
  return (
    <div role="alert" className={cn('mx-auto flex max-w-lg flex-col items-center px-4 py-12 text-center', className)}>
      <CloudAlert aria-hidden="true" className="mb-3 size-6 text-danger-text" />
      <p className="font-semibold text-base">{what}.</p>
      <p className="mt-1 text-balance text-muted text-sm">{detail}</p>
      {onRetry ? (
        <Button className="mt-4" onClick={onRetry}>
          <RotateCw aria-hidden="true" />
          Try again
        </Button>
      ) : null}
      {requestId ? <RequestId id={requestId} className="mt-3 max-w-full text-muted" /> : null}
    </div>
  );
}

/** The page of something that does not exist, or that the person must not see: what it was, and a way back. */
export function MissingPage({ title, sentence, back }: MissingPageProps) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center px-4 py-12 text-center">
      <SearchX aria-hidden="true" className="mb-3 size-6 text-muted" />
      <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
      <p className="mt-1 text-balance text-muted text-sm">{sentence}</p>
      <Button asChild className="mt-4">
        <Link href={back.href}>{back.label}</Link>
      </Button>
    </div>
  );
}

interface MissingPageProps {
  /** "Event not found". */
  title: string;
  sentence: string;
  back: { href: string; label: string };
}

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
