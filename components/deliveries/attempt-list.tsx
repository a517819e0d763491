'use client';

import { ChevronRight, CircleCheck, CircleX, LogIn } from 'lucide-react';
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

/**
 * The stored attempts of a delivery, newest first, how many retention has removed, and what it began with.
 * @param receivedAt when the request arrived that brought the event; without it, the attempts follow the making of the delivery
 */
export function AttemptList({ delivery, receivedAt }: { delivery: Delivery; receivedAt?: string }) {
  const path = useProjectPath(`deliveries/${delivery.id}/attempts`);
  const attempts = useAttempts(path, delivery.attemptCount);
  const removed = countRemoved(delivery, attempts);
  const startedAt = receivedAt ?? delivery.createdAt;
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
            <AttemptItem path={path} attempt={attempt} delayMs={delayBeforeMs(rows, index, startedAt)} />
          </li>
        ))}
        {attempts.rows === undefined || attempts.hasMore ? null : (
          <li>
            <Start delivery={delivery} receivedAt={receivedAt} />
          </li>
        )}
      </ol>
      <LoadMore pages={attempts} />
      {removed > 0 ? <AttemptsRemoved count={removed} /> : null}
    </div>
  );
}

/** The columns of an attempt, which on a phone are two lines. */
const COLUMNS =
  'grid grid-cols-[1rem_1rem_minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-0.5 px-4 py-2.5 text-sm sm:grid-cols-[1rem_1rem_auto_minmax(0,1fr)_4rem_4.5rem_5rem]';

/** What an attempt list begins with: the request, or the making of the delivery. */
function Start({ delivery, receivedAt }: { delivery: Delivery; receivedAt: string | undefined }) {
  return (
    <div className={COLUMNS}>
      <span />
      <LogIn aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <span className="whitespace-nowrap font-medium">{receivedAt === undefined ? 'Queued' : 'Received'}</span>
      <span className="min-w-0 text-muted max-sm:col-span-2 max-sm:col-start-3 max-sm:row-start-2 sm:col-span-3">
        {receivedAt === undefined ? null : 'The request that brought the event'}
      </span>
      <span className="text-right text-muted text-xs tabular-nums max-sm:col-start-5 max-sm:row-start-1">
        <RelativeTime at={receivedAt ?? delivery.createdAt} />
      </span>
    </div>
  );
}

function AttemptItem({
  path,
  attempt,
  delayMs,
}: {
  path: string;
  attempt: Attempt;
  /** Since the previous attempt, or the start; null when that is not known. */
  delayMs: number | null;
}) {
  const [isOpen, setOpen] = useState(false);
  const Icon = attempt.succeeded ? CircleCheck : CircleX;
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={`${COLUMNS} cursor-pointer list-none hover:bg-sunken/60 [&::-webkit-details-marker]:hidden`}>
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
        <Delay delayMs={delayMs} isFirst={attempt.attemptNumber === 1} />
        <span className="text-right text-muted text-xs tabular-nums max-sm:col-start-5 max-sm:row-start-1">
          <RelativeTime at={attempt.startedAt} />
        </span>
      </summary>
      <div className="px-4 pt-2 pb-5 sm:pl-11">{isOpen ? <LoadedAttempt path={`${path}/${attempt.id}`} /> : null}</div>
    </details>
  );
}

/** How long after the previous attempt, or the start, this one started. */
function Delay({ delayMs, isFirst }: { delayMs: number | null; isFirst: boolean }) {
  const after = isFirst ? 'after it was received' : 'after the previous attempt';
  return (
    <span
      title={delayMs === null ? undefined : after}
      className="whitespace-nowrap text-right text-muted text-xs tabular-nums max-sm:col-start-4 max-sm:row-start-1"
    >
      {delayMs === null ? null : (
        <>
          +{formatDuration(delayMs)}
          <span className="sr-only"> {after}</span>
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
  // A page may have many such lists, and learns of new attempts by their number.
  const pages = usePages<Attempt>(attemptCount === 0 ? null : path, {}, { revalidateOnFocus: false });
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
 * Returns how long after the previous attempt one started, or the first one after `startedAt`, in milliseconds; null when the previous
 * one is not in the list.
 * @param attempts the newest first
 */
export function delayBeforeMs(attempts: readonly Attempt[], index: number, startedAt: string): number | null {
  const attempt = attempts[index];
  const previous = attempts[index + 1];
  if (attempt === undefined) return null;
  if (attempt.attemptNumber === 1) return durationMs(startedAt, attempt.startedAt);
  if (previous?.attemptNumber !== attempt.attemptNumber - 1) return null;
  return durationMs(previous.startedAt, attempt.startedAt);
}

/** The times may be those of two machines, whose clocks differ. */
function durationMs(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
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
