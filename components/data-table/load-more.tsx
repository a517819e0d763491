'use client';

import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';

/** The end of a list that goes on. Nothing when this is all there is. */
export function LoadMore({
  hasMore,
  loading,
  error,
  onLoadMore,
}: {
  hasMore: boolean;
  loading: boolean;
  error?: unknown;
  onLoadMore: () => void;
}) {
  if (!hasMore) return null;
  return (
    <div className="border-t px-4 py-2.5 text-center">
      <Button size="sm" variant="ghost" loading={loading} onClick={onLoadMore}>
        Load more
      </Button>
      <InlineError what="The next page could not be loaded" error={error} className="mt-2 text-left" />
    </div>
  );
}
