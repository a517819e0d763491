'use client';

import { describeError } from '@/components/auth-session/api-error';
import { Callout } from './callout';
import { cn } from './cn';
import { CopyableId } from './copyable-id';

/** Shows an error in a dialog or below a form. Renders nothing without an error. */
export function InlineError({ what, error, className }: { what: string; error: unknown; className?: string }) {
  if (error === undefined || error === null) return null;
  const { detail, requestId } = describeError(error);
  return (
    <Callout tone="danger" role="alert" {...(className ? { className } : {})}>
      <p>
        <span className="font-medium">{what}.</span> {detail}
      </p>
      {requestId ? <RequestId id={requestId} className="mt-1 flex-wrap" /> : null}
    </Callout>
  );
}

/** The id of a failed request, for support. */
export function RequestId({ id, className }: { id: string; className?: string }) {
  return (
    <p className={cn('flex items-center gap-x-1.5 text-xs', className)}>
      Request <CopyableId id={id} label="Copy request ID" />
    </p>
  );
}
