'use client';

import { CloudAlert, RotateCw } from 'lucide-react';
import { describeError } from '@/components/auth-session/api-error';
import { Button } from './button';
import { cn } from './cn';
import { RequestId } from './inline-error';

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
