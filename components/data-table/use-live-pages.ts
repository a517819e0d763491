'use client';

import { useEffect, useMemo, useState } from 'react';
import useSWR from 'swr';
import { shouldRetry } from '@/components/auth-session/api-error';
import { fetchFromApi } from '@/components/auth-session/api-fetch';
import type { LiveStatus } from '@/components/live/live-mark';
import { useChanges } from '@/components/live/use-changes';
import { useHold } from '@/components/live/use-hold';
import type { ChangeKind } from '@/lib/changes/types';
import { withQuery } from './url-filters';
import { type CursorPage, usePages } from './use-pages';

const NONE: ReadonlySet<string> = new Set();
const HEAD_ROWS = 50;
/** A change below the newest rows of the project has no hint. */
const LIVE_POLL_MS = 15_000;
const MAX_RETRY_MS = 30_000;

/** What a list watches. */
interface LiveSource {
  /** The project whose stream tells of changes; without one the list is polled. */
  projectId?: string;
  /** The rows that the list shows something of. */
  kinds?: readonly ChangeKind[];
  /** The time between two requests while there is no stream. */
  pollMs: number;
  /** Rows of a page. */
  limit?: number;
}

/**
 * Loads a paged list and keeps it current: by hints of the project's stream, else by polling. Rows change in place.
 *
 * Rows must not move under the pointer. New rows appear by themselves while the list is at rest; otherwise they are only
 * counted (`newCount`) until `showNew` is called. An empty list shows them at once.
 */
export function useLivePages<Row extends { id: string }>(
  path: string,
  filters: Record<string, string | undefined>,
  { projectId, kinds = [], pollMs, limit = HEAD_ROWS }: LiveSource,
) {
  const pages = usePages<Row>(path, filters, { pinned: true, limit });
  const headPath = withQuery(path, { ...filters, limit });
  const stream = useChanges(projectId ?? null, kinds, () => head.mutate());
  const intervalMs = stream === 'live' ? LIVE_POLL_MS : pollMs;
  // It waits for the stream: what changes after that is hinted.
  const isWaiting = pages.rows === undefined || pages.isStale || stream === 'connecting';
  const head = useSWR(isWaiting ? null : ['head of', headPath], ([, key]) => fetchFromApi<CursorPage<Row>>(key), {
    refreshInterval: intervalMs,
    keepPreviousData: false,
    onErrorRetry: (_error, _key, _config, revalidate, { retryCount }) => {
      setTimeout(() => void revalidate({ retryCount }), Math.min(MAX_RETRY_MS, pollMs * 2 ** (retryCount - 1)));
    },
  });
  const { rows, newer } = useMemo(() => mergeNewest(pages.rows, head.data?.data), [pages.rows, head.data]);
  const [highlighted, setHighlighted] = useState(NONE);
  const [isPaused, setPaused] = useState(false);
  const hold = useHold();
  const showNew = async () => {
    if (head.data === undefined) return;
    setHighlighted(new Set(newer.map((row) => row.id)));
    await pages.showFirst(head.data);
  };
  const waitsFor = pages.size > 1 ? 'pages' : hold.reason;
  const mayShow = !isPaused && (rows?.length === 0 || waitsFor === null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when rows arrive and when the list comes to rest
  useEffect(() => {
    // The pointer may have moved since the last render.
    if (newer.length > 0 && mayShow && (rows?.length === 0 || hold.check() === null)) void showNew();
  }, [newer, mayShow]);
  // The button of the new rows had the focus, and is gone.
  const { refresh } = hold;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the button appears or disappears
  useEffect(refresh, [newer.length === 0]);
  const status: LiveStatus = {
    stream,
    isPaused,
    pollMs,
    hold: waitsFor,
    hasFailed: shouldRetry(head.error ?? pages.error),
    pause: () => setPaused(true),
    resume: () => setPaused(false),
  };
  return {
    ...pages,
    rows,
    highlighted,
    showNew,
    newCount: newer.length,
    hasMoreNew: newer.length === limit,
    status,
    listRef: hold.ref,
  };
}

export type LivePages<Row extends { id: string }> = ReturnType<typeof useLivePages<Row>>;

/**
 * Updates the shown rows in place from the newest page of a list, and returns the rows that are missing among them
 * separately: later ones, and those that another process stored late or that came to match the filters.
 */
export function mergeNewest<Row extends { id: string }>(
  shown: Row[] | undefined,
  head: Row[] | undefined,
): { rows: Row[] | undefined; newer: Row[] } {
  if (shown === undefined || head === undefined) return { rows: shown, newer: [] };
  const byId = new Map(head.map((row) => [row.id, row]));
  const present = new Set(shown.map(({ id }) => id));
  // Ids are UUIDv7, so a row below the last shown one belongs to the next page.
  const last = shown.at(-1)?.id ?? '';
  return {
    rows: shown.map((row) => byId.get(row.id) ?? row),
    newer: head.filter((row) => row.id > last && !present.has(row.id)),
  };
}
