'use client';

import { ChevronRight, CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import useSWR from 'swr';
import { AttemptInspector } from '@/components/attempts/attempt-inspector';
import { describeOutcome } from '@/components/attempts/describe-status';
import { LoadMore } from '@/components/data-table/load-more';
import { AttemptsRemoved } from '@/components/retention/attempts-removed';
import { formatDuration } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import type { Attempt, AttemptDetail, Delivery } from '@/lib/delivery/schema';
import { countRemoved } from './count-removed';
import { deliveriesPath, useAttempts } from './use-deliveries';

/** The stored attempts of a delivery, newest first, and how many retention has removed. */
export function AttemptList({ projectId, delivery }: { projectId: string; delivery: Delivery }) {
  const attempts = useAttempts(projectId, delivery);
  const removed = countRemoved(delivery, attempts);
  if (delivery.attemptCount === 0) return null;
  const path = `${deliveriesPath(projectId)}/${delivery.id}/attempts`;
  return (
    <div>
      {attempts.error ? (
        <div className="px-4 pb-4">
          <InlineError what="We couldn’t load the attempts" error={attempts.error} className="mt-4" />
        </div>
      ) : null}
      {attempts.rows === undefined && !attempts.error ? <Skeleton className="m-4 w-64" /> : null}
      <ol>
        {attempts.rows?.map((attempt) => (
          <li key={attempt.id} className="border-b last:border-b-0">
            <AttemptItem path={path} attempt={attempt} />
          </li>
        ))}
      </ol>
      <LoadMore pages={attempts} />
      {removed > 0 ? <AttemptsRemoved projectId={projectId} count={removed} /> : null}
    </div>
  );
}

function AttemptItem({ path, attempt }: { path: string; attempt: Attempt }) {
  const [isOpen, setOpen] = useState(false);
  const Icon = attempt.succeeded ? CircleCheck : CircleX;
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2.5 text-sm hover:bg-sunken/60 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted group-open:rotate-90" />
        <Icon
          aria-hidden="true"
          className={`size-4 shrink-0 ${attempt.succeeded ? 'text-success-text' : 'text-danger-text'}`}
        />
        <span className="whitespace-nowrap font-medium tabular-nums">Attempt {attempt.attemptNumber}</span>
        <span className="min-w-0 break-words text-muted">{describeOutcome(attempt)}</span>
        <span className="ml-auto flex items-center gap-3 whitespace-nowrap text-muted text-xs">
          {formatDuration(attempt.durationMs)}
          <RelativeTime at={attempt.startedAt} />
        </span>
      </summary>
      <div className="px-4 pt-2 pb-5 sm:pl-11">{isOpen ? <LoadedAttempt path={`${path}/${attempt.id}`} /> : null}</div>
    </details>
  );
}

/** Loads what the list leaves out, such as the request. An attempt never changes. */
function LoadedAttempt({ path }: { path: string }) {
  const { data, error } = useSWR<AttemptDetail>(path, { revalidateOnFocus: false, revalidateIfStale: false });
  if (error) return <InlineError what="We couldn’t load the attempt" error={error} />;
  if (data === undefined) return <Skeleton className="h-40 w-full" />;
  return <AttemptInspector attempt={data} />;
}
