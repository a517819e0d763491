import type { Destination } from '@/lib/incoming/schema';

/** Returns why the events of a source cannot be replayed; undefined when they can, and while its destinations are loading. */
export function replayDisabledReason(
  destinations: readonly Pick<Destination, 'enabled'>[] | undefined,
): string | undefined {
  if (destinations === undefined || destinations.some(({ enabled }) => enabled)) return undefined;
  return destinations.length === 0
    ? 'The source has no destinations. Add one on its page first.'
    : 'All destinations of the source are disabled. Enable one first.';
}

/**
 * Returns why the filters prevent a replay of the matching events; undefined when they do not. A replay covers one source,
 * and never events that are not verified.
 */
export function replayFilterReason(filters: {
  sourceId?: string | undefined;
  verified?: string | undefined;
  id?: string | undefined;
}): string | undefined {
  if (filters.id !== undefined) return 'Open the event to replay it alone, or clear the ID filter.';
  if (filters.sourceId === undefined) return 'Choose a source first. A replay covers one source.';
  return filters.verified === 'false' ? 'Unverified events are never forwarded.' : undefined;
}
