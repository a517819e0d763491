'use client';

import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';
import type { Pages } from './use-pages';

/** The button that loads the next page of a list. Renders nothing after the last page. */
export function LoadMore({
  pages,
}: {
  pages: Pick<Pages<unknown>, 'hasMore' | 'isLoadingMore' | 'moreError' | 'loadMore'>;
}) {
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
