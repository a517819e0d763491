import { withQuery } from '@/components/data-table/url-filters';

/** A time with a start and an end, as RFC 3339. */
export interface Period {
  from: string;
  to: string;
}

type Filters = { status?: 'PENDING' | 'SUCCEEDED' | 'FAILED'; endpointId?: string; destinationId?: string };

/** Returns the path of the deliveries of a period. */
export function deliveriesPath(projectId: string, period: Period | null, filters: Filters = {}): string {
  return withQuery(`/projects/${projectId}/deliveries`, { ...(period ?? {}), ...filters });
}

/** Returns the path of the events of a period. */
export function eventsPath(projectId: string, { from, to }: Period): string {
  return withQuery(`/projects/${projectId}/events`, { from, to });
}

/** Returns the path of the incoming events of a period. */
export function incomingPath(projectId: string, { from, to }: Period, verified?: 'true' | 'false' | 'none'): string {
  return withQuery(`/projects/${projectId}/incoming-events`, { from, to, verified });
}
