'use client';

import useSWR from 'swr';
import { withQuery } from '@/components/data-table/url-filters';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { useProjectPath } from '@/components/projects/use-projects';
import type { EventListItem } from '@/lib/events/schema';
import { RANGES, type RangeName } from '@/lib/stats/range-policy';
import type { ProjectStats } from '@/lib/stats/schema';

const PARAMETERS = ['range', 'from', 'to'] as const;
const REFRESH_MS = 10_000;

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
export function useStats({ name, from, to }: ChosenRange) {
  const path = withQuery(useProjectPath('stats'), { range: name ?? undefined, from, to });
  const swr = useSWR<ProjectStats>(path, { refreshInterval: REFRESH_MS, keepPreviousData: true });
  return { stats: swr.data, error: swr.error as unknown, isStale: swr.isLoading, reload: () => swr.mutate() };
}

/** Whether the project ever got an event; undefined while that is not known. */
export function useHasEvent(isAsked: boolean): boolean | undefined {
  const path = useProjectPath('events?limit=1');
  const { data } = useSWR<CursorPage<EventListItem>>(isAsked ? path : null);
  return data === undefined ? undefined : data.data.length > 0;
}

/** A time with a start and an end, as RFC 3339. */
export interface Period {
  from: string;
  to: string;
}

type Filters = { status?: 'PENDING' | 'SUCCEEDED' | 'FAILED'; endpointId?: string; destinationId?: string };

/** Returns the path of the deliveries of a period. */
export function deliveriesPath(projectId: string, period: Period | null, filters: Filters = {}): string {
  return withQuery(`/projects/${projectId}/deliveries`, { from: period?.from, to: period?.to, ...filters });
}

/** Returns the path of the events of a period. */
export function eventsPath(projectId: string, { from, to }: Period): string {
  return withQuery(`/projects/${projectId}/events`, { from, to });
}

/** Returns the path of the incoming events of a period. */
export function incomingPath(projectId: string, { from, to }: Period, verified?: 'true' | 'false' | 'none'): string {
  return withQuery(`/projects/${projectId}/incoming-events`, { from, to, verified });
}
