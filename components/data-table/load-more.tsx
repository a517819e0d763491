'use client';

import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { InlineError } from '@/components/ui/inline-error';
import type { Pages } from './use-pages';

type MorePages = Pick<Pages<unknown>, 'hasMore' | 'isLoadingMore' | 'moreError' | 'loadMore' | 'size'>;

/** The button that loads the next page of a list. Renders nothing after the last page. */
export function LoadMore({ pages }: { pages: Omit<MorePages, 'size'> }) {
  if (!pages.hasMore) return null;
  return (
    <div className="border-t px-4 py-2.5 text-center">
      <Button size="sm" variant="ghost" loading={pages.isLoadingMore} onClick={pages.loadMore}>
        Load more
      </Button>
      <InlineError what="We couldn’t load the next page" error={pages.moreError} className="mt-2 text-left" />
    </div>
  );
}

/** Pages that one click looks through. Each looks at thousands of rows. */
const PAGES_PER_CLICK = 20;

/** Explains that the newest rows do not match, and looks through older ones until a row matches. */
export function KeepLooking({ pages }: { pages: MorePages }) {
  const { size, hasMore, isLoadingMore, moreError, loadMore } = pages;
  const [lastPage, setLastPage] = useState(0);
  const isLooking = isLoadingMore || (hasMore && size < lastPage && moreError === undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads one page after another
  useEffect(() => {
    if (isLooking && !isLoadingMore) loadMore();
  }, [isLooking, isLoadingMore, size]);
  return (
    <EmptyState
      title="No match among the newest rows"
      sentence="Older rows may match. Looking through them can take a while."
      action={
        <>
          <Button loading={isLooking} onClick={() => setLastPage(size + PAGES_PER_CLICK)}>
            Keep looking
          </Button>
          <InlineError what="We couldn’t load the next page" error={moreError} className="mt-2 text-left" />
        </>
      }
    />
  );
}
