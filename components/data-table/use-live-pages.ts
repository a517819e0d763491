'use client';

import { useEffect, useMemo, useState } from 'react';
import useSWR from 'swr';
import { fetchFromApi } from '@/components/auth-session/swr-fetcher';
import { mergeHead } from './merge-head';
import { withQuery } from './url-filters';
import { type Listing, usePages } from './use-pages';

const NONE: ReadonlySet<string> = new Set();
const HEAD_ROWS = 50;

/**
 * A list that is watched: rows change in place, and new ones wait until they are asked for.
 *
 * Nothing may move under the pointer of somebody about to click, so what arrives is only counted (`freshCount`) until
 * `showFresh`; only an empty list fills by itself.
 */
export function useLivePages<Row extends { id: string }>(
  path: string,
  filters: Record<string, string | undefined>,
  refreshMs: number,
) {
  const pages = usePages<Row>(path, filters, { pinned: true });
  const headPath = withQuery(path, { ...filters, limit: HEAD_ROWS });
  const head = useSWR(
    pages.rows === undefined ? null : ['head of', headPath],
    ([, key]) => fetchFromApi<Listing<Row>>(key),
    { refreshInterval: refreshMs, keepPreviousData: false },
  );
  const { rows, fresh } = useMemo(() => mergeHead(pages.rows, head.data?.data), [pages.rows, head.data]);
  const [arrived, setArrived] = useState(NONE);
  const showFresh = async () => {
    setArrived(new Set(fresh.map((row) => row.id)));
    await pages.reset();
    await pages.reload();
  };
  const fillsItself = rows?.length === 0 && fresh.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per change from empty to filled
  useEffect(() => {
    if (fillsItself) void showFresh();
  }, [fillsItself]);
  return { ...pages, rows, arrived, showFresh, freshCount: fresh.length, freshIsCut: fresh.length === HEAD_ROWS };
}
