'use client';

import { ChevronRight, CircleCheck, CircleX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import useSWR from 'swr';
import { describeOutcome } from '@/components/attempts/describe-status';
import { usePages } from '@/components/data-table/use-pages';
import { InlineError } from '@/components/ui/inline-error';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import type { Attempt, AttemptDetail } from '@/lib/delivery/schema';
import type { PortalDelivery } from '@/lib/portal/schema';
import { ExchangeView } from './exchange-view';
import { ListFailure, ShowMore } from './list-parts';

/** The attempts of a delivery, the newest first and open. */
export function AttemptList({ delivery: { id, attemptCount, status } }: { delivery: PortalDelivery }) {
  if (attemptCount === 0) return null;
  return (
    <section className="mt-10">
      <h2 className="font-semibold text-lg">Attempts</h2>
      <LoadedAttempts path={`/deliveries/${id}/attempts`} version={`${attemptCount} ${status}`} />
    </section>
  );
}

function LoadedAttempts({ path, version }: { path: string; version: string }) {
  const pages = usePages<Attempt>(path, {}, { limit: 20 });
  const { reload } = pages;
  const loaded = useRef(version);
  useEffect(() => {
    if (loaded.current === version) return;
    loaded.current = version;
    void reload();
  });
  if (pages.error) return <ListFailure what="the attempts" error={pages.error} retry={reload} />;
  if (pages.rows === undefined) return <Skeleton className="mt-4 h-40 w-full" />;
  if (pages.rows.length === 0) return <p className="mt-2 text-muted text-sm">They are no longer stored.</p>;
  return (
    <>
      <ol className="mt-4 divide-y overflow-hidden rounded-xl border bg-surface shadow-raised">
        {pages.rows.map((attempt, index) => (
          <li key={attempt.id}>
            <AttemptItem path={path} attempt={attempt} isFirst={index === 0} />
          </li>
        ))}
      </ol>
      <ShowMore pages={pages} />
    </>
  );
}

function AttemptItem({ path, attempt, isFirst }: { path: string; attempt: Attempt; isFirst: boolean }) {
  const [isOpen, setOpen] = useState(isFirst);
  const Icon = attempt.succeeded ? CircleCheck : CircleX;
  return (
    <details open={isOpen} className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3.5 text-sm hover:bg-sunken/60 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted group-open:rotate-90" />
        <Icon
          aria-hidden="true"
          className={`size-4 shrink-0 ${attempt.succeeded ? 'text-success-text' : 'text-danger-text'}`}
        />
        <span className="font-medium">Attempt {attempt.attemptNumber}</span>
        <span className="wrap-anywhere min-w-0 flex-1 text-muted max-sm:order-last max-sm:basis-full max-sm:pl-14">
          {describeOutcome(attempt)}
        </span>
        <span className="text-muted max-sm:ml-auto">
          <RelativeTime at={attempt.startedAt} />
        </span>
      </summary>
      <div className="border-t px-5 py-5">{isOpen ? <LoadedAttempt path={`${path}/${attempt.id}`} /> : null}</div>
    </details>
  );
}

/** Loads what the list leaves out. An attempt never changes. */
function LoadedAttempt({ path }: { path: string }) {
  const { data, error } = useSWR<AttemptDetail>(path, { revalidateOnFocus: false, revalidateIfStale: false });
  if (error) return <InlineError what="We couldn’t load the attempt" error={error} />;
  if (data === undefined) return <Skeleton className="h-40 w-full" />;
  return <ExchangeView exchange={data} />;
}
