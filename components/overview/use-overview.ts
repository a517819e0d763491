'use client';

import useSWR from 'swr';
import { withQuery } from '@/components/data-table/url-filters';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import type { EventListItem } from '@/lib/events/schema';
import type { ApiKey } from '@/lib/keys/schema';
import { RANGES, type RangeName } from '@/lib/stats/range-policy';
import type { ProjectStats } from '@/lib/stats/schema';

const PARAMETERS = ['range', 'from', 'to'] as const;
const REFRESH_MS = 10_000;
/** Above the most working keys that a project has by default. */
const KEYS = 100;

/** The range of the overview, which the URL keeps. */
export interface ChosenRange {
  /** Null for a custom range. */
  name: RangeName | null;
  from: string | undefined;
  to: string | undefined;
}

/** Returns the range that the URL names; the last 24 hours for none and for one that is not known. */
export function useChosenRange() {
  const { filters, setFilters } = useUrlFilters(PARAMETERS);
  const { range, from, to } = filters;
  const isCustom = from !== undefined && to !== undefined;
  const name = range !== undefined && Object.hasOwn(RANGES, range) ? (range as RangeName) : '24h';
  const chosen: ChosenRange = {
    name: isCustom ? null : name,
    from: isCustom ? from : undefined,
    to: isCustom ? to : undefined,
  };
  return {
    chosen,
    choose: (next: RangeName) => setFilters({ range: next, from: undefined, to: undefined }),
    chooseTimes: (times: { from: string; to: string }) => setFilters({ range: undefined, ...times }),
  };
}

/** Loads the statistics of a range, and again every ten seconds. Keeps showing the last range until the next is there. */
export function useStats(projectId: string, { name, from, to }: ChosenRange) {
  const path = withQuery(`/projects/${projectId}/stats`, { range: name ?? undefined, from, to });
  const swr = useSWR<ProjectStats>(path, { refreshInterval: REFRESH_MS, keepPreviousData: true });
  return { stats: swr.data, error: swr.error as unknown, isStale: swr.isLoading, reload: () => swr.mutate() };
}

/** Whether the project ever got an event; undefined while that is not known. */
export function useHasEvent(projectId: string, isAsked: boolean): boolean | undefined {
  const { data } = useSWR<CursorPage<EventListItem>>(isAsked ? `/projects/${projectId}/events?limit=1` : null);
  return data === undefined ? undefined : data.data.length > 0;
}

/** Loads the keys of a project, to find those that expire. */
export function useProjectKeys(projectId: string): ApiKey[] | undefined {
  return useSWR<CursorPage<ApiKey>>(`/projects/${projectId}/api-keys?limit=${KEYS}`).data?.data;
}
