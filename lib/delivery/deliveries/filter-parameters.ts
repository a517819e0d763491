import { responseRangeOf } from '@/lib/delivery/response-filter-policy';
import type { ListDeliveriesQuery } from '@/lib/delivery/schema';
import { storedStatusOf } from '@/lib/events/delivery-state-policy';
import { splitPattern } from '@/lib/events/type-pattern-policy';
import { addMs } from '@/lib/platform/clock';
import { lowestIdAt } from '@/lib/platform/ids';
import type { Page } from '@/lib/platform/pagination';

/** What deliveries are selected by. */
export type DeliveriesFilter = Omit<ListDeliveriesQuery, keyof Page>;

/**
 * Returns the parameters $1 to $15 of the statements that select deliveries, and the event type to select: an exact type, or
 * a prefix. Ids start with the time of their event, so `from` and `to` compare that.
 */
export function filterParameters(
  projectId: string,
  filter: DeliveriesFilter,
  page: Page,
): { chosen: unknown[]; exact: string | null; prefix: string | null } {
  const { status, hasAttempts } = storedStatusOf(filter.status);
  const range = responseRangeOf(filter.responseStatus);
  const [lowest, highest] = range === null || range === 'none' ? [null, null] : range;
  const chosen = [
    ...[projectId, page.cursor ?? null, status, filter.endpointId ?? null, filter.eventId ?? null],
    ...[filter.destinationId ?? null, filter.incomingEventId ?? null],
    filter.from === undefined ? null : lowestIdAt(filter.from),
    filter.to === undefined ? null : lowestIdAt(addMs(filter.to, 1)),
    ...[page.limit, hasAttempts, lowest, highest, range === 'none' ? true : null, filter.id ?? null],
  ];
  return { chosen, ...splitPattern(filter.eventType ?? '*') };
}
