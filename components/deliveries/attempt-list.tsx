'use client';

import { ChevronRight, CircleCheck, CircleX } from 'lucide-react';
import { LoadMore } from '@/components/data-table/load-more';
import { AttemptsRemoved } from '@/components/retention/attempts-removed';
import { CodeBlock } from '@/components/ui/code-block';
import { formatDuration } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import type { Attempt, Delivery } from '@/lib/delivery/schema';
import { countRemoved } from './count-removed';
import { prettyBody } from './pretty-body';
import { useAttempts } from './use-deliveries';

/** The stored attempts of a delivery, newest first, and how many retention has removed. */
export function AttemptList({ projectId, delivery }: { projectId: string; delivery: Delivery }) {
  const attempts = useAttempts(projectId, delivery);
  const removed = countRemoved(delivery, attempts);
  if (delivery.attemptCount === 0) return null;
  return (
    <div>
      {attempts.error ? (
        <div className="px-4 pb-4">
          <InlineError what="The attempts could not be loaded" error={attempts.error} className="mt-4" />
        </div>
      ) : null}
      {attempts.rows === undefined && !attempts.error ? <Skeleton className="m-4 w-64" /> : null}
      <ol>
        {attempts.rows?.map((attempt) => (
          <li key={attempt.id} className="border-b last:border-b-0">
            <AttemptItem attempt={attempt} />
          </li>
        ))}
      </ol>
      <LoadMore pages={attempts} />
      {removed > 0 ? <AttemptsRemoved projectId={projectId} count={removed} /> : null}
    </div>
  );
}

function AttemptItem({ attempt }: { attempt: Attempt }) {
  const Icon = attempt.succeeded ? CircleCheck : CircleX;
  return (
    <details className="group">
      <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2.5 text-sm hover:bg-sunken/60 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted group-open:rotate-90" />
        <Icon
          aria-hidden="true"
          className={`size-4 shrink-0 ${attempt.succeeded ? 'text-success-text' : 'text-danger-text'}`}
        />
        <span className="whitespace-nowrap font-medium">Attempt {attempt.attemptNumber}</span>
        <span className="min-w-0 break-words text-muted">{outcomeOf(attempt)}</span>
        <span className="ml-auto flex items-center gap-3 whitespace-nowrap text-muted text-xs">
          {formatDuration(attempt.durationMs)}
          <RelativeTime at={attempt.startedAt} />
        </span>
      </summary>
      <div className="px-4 pb-4 pl-11">
        {attempt.responseBody === null || attempt.responseBody === '' ? (
          <p className="text-muted text-sm">
            {attempt.responseStatus === null ? 'No response.' : 'The response had no body.'}
          </p>
        ) : (
          <CodeBlock label="Response body" {...prettyBody(attempt.responseBody)} wrap />
        )}
      </div>
    </details>
  );
}

/** Joins the status and the error; an error that names the status is used alone. */
function outcomeOf({ responseStatus, error }: Attempt): string {
  const status = responseStatus === null ? '' : String(responseStatus);
  if (error === null || error === '') return status || 'No response';
  return status === '' || error.includes(status) ? error : `${status} · ${error}`;
}
