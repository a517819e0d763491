'use client';

import { ChevronRight, CircleCheck, CircleX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import useSWR from 'swr';
import { AttemptInspector } from '@/components/attempts/attempt-inspector';
import { describeOutcome } from '@/components/attempts/describe-status';
import { LoadMore } from '@/components/data-table/paged-table';
import { usePages } from '@/components/data-table/use-pages';
import { useProjectPath } from '@/components/projects/use-projects';
import { AttemptsRemoved } from '@/components/retention/retention-notes';
import { formatDuration } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import type { Attempt, AttemptDetail, Delivery } from '@/lib/delivery/schema';

/** The stored attempts of a delivery, newest first, and how many retention has removed. */
export function AttemptList({ delivery }: { delivery: Delivery }) {
  const path = useProjectPath(`deliveries/${delivery.id}/attempts`);
  const attempts = useAttempts(path, delivery.attemptCount);
  const removed = countRemoved(delivery, attempts);
  if (delivery.attemptCount === 0) return null;
  return (
    <div>
      {attempts.error ? (
        <div className="px-4 pb-4">
          <InlineError what="We couldn’t load the attempts" error={attempts.error} className="mt-4" />
        </div>
      ) : null}
      {attempts.rows === undefined && !attempts.error ? <Skeleton className="m-4 w-64" /> : null}
      <ol>
        {attempts.rows?.map((attempt, index, rows) => (
          <li key={attempt.id} className="border-b last:border-b-0">
            <AttemptItem
              path={path}
              attempt={attempt}
              delayMs={rows.length === 1 ? undefined : delayBeforeMs(rows, index)}
            />
          </li>
        ))}
      </ol>
      <LoadMore pages={attempts} />
      {removed > 0 ? <AttemptsRemoved count={removed} /> : null}
    </div>
  );
}

/** The columns of an attempt, which on a phone are two lines. */
const COLUMNS = {
  withDelay: 'sm:grid-cols-[1rem_1rem_auto_minmax(0,1fr)_4rem_4.5rem_5rem]',
  withoutDelay: 'sm:grid-cols-[1rem_1rem_auto_minmax(0,1fr)_4rem_5rem]',
};

function AttemptItem({
  path,
  attempt,
  delayMs,
}: {
  path: string;
  attempt: Attempt;
  /** Since the previous attempt; null when that is not known, undefined without a column for it. */
  delayMs: number | null | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  const Icon = attempt.succeeded ? CircleCheck : CircleX;
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary
        className={`${delayMs === undefined ? COLUMNS.withoutDelay : COLUMNS.withDelay} grid cursor-pointer grid-cols-[1rem_1rem_minmax(0,1fr)_auto_auto] list-none items-center gap-x-3 gap-y-0.5 px-4 py-2.5 text-sm hover:bg-sunken/60 [&::-webkit-details-marker]:hidden`}
      >
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted group-open:rotate-90" />
        <Icon
          aria-hidden="true"
          className={`size-4 shrink-0 ${attempt.succeeded ? 'text-success-text' : 'text-danger-text'}`}
        />
        <span className="whitespace-nowrap font-medium tabular-nums">Attempt {attempt.attemptNumber}</span>
        <span className="min-w-0 break-words text-muted max-sm:col-span-2 max-sm:col-start-3 max-sm:row-start-2">
          {describeOutcome(attempt)}
        </span>
        <span className="text-right text-muted text-xs tabular-nums max-sm:col-start-5 max-sm:row-start-2">
          {formatDuration(attempt.durationMs)}
        </span>
        {delayMs === undefined ? null : <Delay delayMs={delayMs} />}
        <span className="text-right text-muted text-xs tabular-nums max-sm:col-start-5 max-sm:row-start-1">
          <RelativeTime at={attempt.startedAt} />
        </span>
      </summary>
      <div className="px-4 pt-2 pb-5 sm:pl-11">{isOpen ? <LoadedAttempt path={`${path}/${attempt.id}`} /> : null}</div>
    </details>
  );
}

/** How long after the previous attempt this one started. */
function Delay({ delayMs }: { delayMs: number | null }) {
  return (
    <span
      title={delayMs === null ? undefined : 'After the previous attempt'}
      className="whitespace-nowrap text-right text-muted text-xs tabular-nums max-sm:col-start-4 max-sm:row-start-1"
    >
      {delayMs === null ? null : (
        <>
          +{formatDuration(delayMs)}
          <span className="sr-only"> after the previous attempt</span>
        </>
      )}
    </span>
  );
}

/** Loads what the list leaves out, such as the request. An attempt never changes. */
function LoadedAttempt({ path }: { path: string }) {
  const { data, error } = useSWR<AttemptDetail>(path, { revalidateOnFocus: false, revalidateIfStale: false });
  if (error) return <InlineError what="We couldn’t load the attempt" error={error} />;
  if (data === undefined) return <Skeleton className="h-40 w-full" />;
  return <AttemptInspector attempt={data} />;
}

/** Loads the attempts of a delivery, newest first. Reloads when their number changes. */
function useAttempts(path: string, attemptCount: number) {
  const pages = usePages<Attempt>(attemptCount === 0 ? null : path);
  const { reload } = pages;
  const read = useRef(attemptCount);
  useEffect(() => {
    if (read.current === attemptCount) return;
    read.current = attemptCount;
    void reload();
  });
  return pages;
}

/**
 * Returns how long after the previous attempt one started, in milliseconds; null without the previous one.
 * @param attempts the newest first
 */
export function delayBeforeMs(attempts: readonly Attempt[], index: number): number | null {
  const attempt = attempts[index];
  const previous = attempts[index + 1];
  if (attempt === undefined || previous?.attemptNumber !== attempt.attemptNumber - 1) return null;
  return Date.parse(attempt.startedAt) - Date.parse(previous.startedAt);
}

/**
 * Returns how many attempts retention has removed. A complete list is exact, while `storedAttempts` can be too high. For
 * a pending delivery the list can lack the latest attempt.
 */
export function countRemoved(
  { status, attemptCount, storedAttempts }: Pick<Delivery, 'status' | 'attemptCount' | 'storedAttempts'>,
  { rows, hasMore, isValidating }: { rows: Attempt[] | undefined; hasMore: boolean; isValidating: boolean },
): number {
  const isComplete = rows !== undefined && !hasMore && !isValidating && status !== 'PENDING';
  return attemptCount - (isComplete ? rows.length : storedAttempts);
}
