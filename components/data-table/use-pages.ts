'use client';

import { useMemo, useRef } from 'react';
import { useSWRConfig } from 'swr';
import useSWRInfinite from 'swr/infinite';
import { withQuery } from './url-filters';

export interface CursorPage<Row> {
  data: Row[];
  nextCursor: string | null;
}

const ALL_AT_ONCE = 100;

/** Reads a list of the API to its end, or until it has `max` rows. */
export async function readAll<Row>(
  path: string,
  max: number,
  fetchPage: (path: string) => Promise<CursorPage<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | undefined; rows.length < max; ) {
    const page = await fetchPage(withQuery(path, { limit: ALL_AT_ONCE, cursor }));
    rows.push(...page.data);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return rows;
}

export interface PagesOptions {
  /** Reloads only when `reload` is called, so that rows never move by themselves. */
  pinned?: boolean;
  /** Whether the list reloads when its page gets the focus; by default unless it is pinned. */
  revalidateOnFocus?: boolean;
  limit?: number;
}

/** Loads a list of the API page by page. A null `path` loads nothing. Rows stay in place when a page is added. */
export function usePages<Row>(
  path: string | null,
  filters: Record<string, string | undefined> = {},
  { pinned = false, revalidateOnFocus = !pinned, limit = 50 }: PagesOptions = {},
) {
  const keyForPage = (index: number, previous: CursorPage<Row> | null) => {
    if (path === null || (index > 0 && previous?.nextCursor === null)) return null;
    return withQuery(path, { ...filters, limit, cursor: previous?.nextCursor ?? undefined });
  };
  const { mutate: mutatePage } = useSWRConfig();
  const { data, error, size, setSize, mutate, isLoading, isValidating } = useSWRInfinite<CursorPage<Row>>(keyForPage, {
    revalidateFirstPage: !pinned,
    // The first rows may come from the cache, and another page may have changed them since.
    revalidateOnMount: pinned ? undefined : true,
    revalidateOnFocus,
    revalidateOnReconnect: !pinned,
    persistSize: false,
  });
  const loaded = useMemo(() => data?.flatMap((page) => page.data), [data]);
  const last = useRef<{ path: string | null; rows: Row[] }>({ path, rows: [] });
  if (loaded !== undefined) last.current = { path, rows: loaded };
  // While other filters load, the rows before stay: a list that is empty for a moment looks like one without matches.
  const isStale = loaded === undefined && !error && last.current.path === path && last.current.rows.length > 0;
  const rows = isStale ? last.current.rows : loaded;
  return {
    rows,
    /** Whether the rows are those of the filters before. */
    isStale,
    error: rows === undefined ? error : undefined,
    moreError: rows === undefined ? undefined : error,
    isLoading,
    isValidating,
    hasMore: data !== undefined && data.at(-1)?.nextCursor !== null,
    isLoadingMore: data !== undefined && data.length < size,
    loadMore: () => void setSize(size + 1),
    /** The rows that `reloadFirst` reloads. */
    firstRows: data?.[0]?.data,
    reload: () => mutate(),
    /** Reloads the first page, for a timer. Later ones are read again only when the first one ends elsewhere. */
    reloadFirst: () =>
      mutate((pages) => pages, {
        populateCache: false,
        revalidate: (page, key) => page === undefined || key === keyForPage(0, null),
      }),
    /** How many pages are shown. */
    size,
    /** Shows this as the only page, without loading it again. */
    showFirst: async (page: CursorPage<Row>) => {
      // The page is also cached by itself, and the list of pages is read from there when one is added.
      await mutatePage(keyForPage(0, null), page, { revalidate: false });
      await mutate([page], { revalidate: false });
      if (size > 1) await setSize(1);
    },
  };
}

export type Pages<Row> = ReturnType<typeof usePages<Row>>;
