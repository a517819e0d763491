'use client';

import { useEffect, useMemo, useState } from 'react';
import useSWR from 'swr';
import { fetchFromApi } from '@/components/auth-session/swr-fetcher';
import { mergeNewest } from './merge-newest';
import { withQuery } from './url-filters';
import { type CursorPage, usePages } from './use-pages';

const NONE: ReadonlySet<string> = new Set();
const HEAD_ROWS = 50;

/**
 * Loads a paged list and polls for changes every `refreshMs`. Rows change in place.
 *
 * Rows must not move under the pointer, so new rows are only counted (`newCount`) until `showNew` is called. An empty
 * list shows them at once.
 */
export function useLivePages<Row extends { id: string }>(
  path: string,
  filters: Record<string, string | undefined>,
  refreshMs: number,
) {
  const pages = usePages<Row>(path, filters, { pinned: true });
  const headPath = withQuery(path, { ...filters, limit: HEAD_ROWS });
  const head = useSWR(
    pages.rows === undefined || pages.isStale ? null : ['head of', headPath],
    ([, key]) => fetchFromApi<CursorPage<Row>>(key),
    { refreshInterval: refreshMs, keepPreviousData: false },
  );
  const { rows, newer } = useMemo(() => mergeNewest(pages.rows, head.data?.data), [pages.rows, head.data]);
  const [highlighted, setHighlighted] = useState(NONE);
  const showNew = async () => {
    setHighlighted(new Set(newer.map((row) => row.id)));
    await pages.reset();
    await pages.reload();
  };
  const showsAtOnce = rows?.length === 0 && newer.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once when an empty list gets rows
  useEffect(() => {
    if (showsAtOnce) void showNew();
  }, [showsAtOnce]);
  return { ...pages, rows, highlighted, showNew, newCount: newer.length, hasMoreNew: newer.length === HEAD_ROWS };
}

export type LivePages<Row extends { id: string }> = ReturnType<typeof useLivePages<Row>>;
