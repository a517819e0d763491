'use client';

import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Pages } from '@/components/data-table/use-pages';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';

/** Says why a list is empty, and leads on. */
export function EmptyList({
  icon: Icon,
  title,
  text,
  action,
}: {
  icon: LucideIcon;
  title: string;
  text: string;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center rounded-xl border border-dashed px-6 py-14 text-center">
      <span className="grid size-11 place-items-center rounded-full bg-accent-subtle text-accent-text">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <h2 className="mt-4 font-semibold text-lg">{title}</h2>
      <p className="mt-1 max-w-sm text-balance text-muted text-sm">{text}</p>
      {action === undefined ? null : <div className="mt-5">{action}</div>}
    </div>
  );
}

/** @param what after "We couldn’t load" */
export function ListFailure({ what, error, retry }: { what: string; error: unknown; retry: () => unknown }) {
  return (
    <div className="grid justify-items-start gap-3">
      <InlineError what={`We couldn’t load ${what}`} error={error} className="w-full" />
      <Button onClick={() => void retry()}>Try again</Button>
    </div>
  );
}

type Shown = Pick<Pages<unknown>, 'hasMore' | 'isLoadingMore' | 'loadMore' | 'moreError'>;

/** Shows the next page of a list. */
export function ShowMore({ pages: { hasMore, isLoadingMore, loadMore, moreError } }: { pages: Shown }) {
  if (!hasMore) return null;
  return (
    <div className="mt-4 grid justify-items-center gap-2">
      <Button loading={isLoadingMore} onClick={loadMore}>
        Show more
      </Button>
      <InlineError what="We couldn’t load more" error={moreError} />
    </div>
  );
}
