import type { Tone } from '@/components/ui/badge';
import { formatRelative } from '@/components/ui/format-time';
import type { PortalEndpoint } from '@/lib/portal/schema';

/** How an endpoint fares. */
export interface Health {
  tone: Tone;
  word: string;
  /** What to know about it beyond the word; null if there is nothing. */
  sentence: string | null;
}

type Described = Pick<PortalEndpoint, 'enabled' | 'disabledReason' | 'pauseReason' | 'failingSince'> & {
  eventTypeCount: number;
  lastDeliveryAt: string | null;
};

/** Says in words how an endpoint fares. */
export function describeHealth(endpoint: Described, now: Date): Health {
  const { enabled, disabledReason, pauseReason, failingSince, eventTypeCount, lastDeliveryAt } = endpoint;
  if (!enabled && disabledReason !== null) {
    const why = disabledReason === 'gone' ? 'Your server answered 410 Gone' : 'Every request failed for five days';
    return { tone: 'danger', word: 'Turned off', sentence: `${why}, so nothing is sent until it is turned on.` };
  }
  if (!enabled) {
    const why = pauseReason === null ? '' : ` Reason: ${pauseReason}`;
    return { tone: 'neutral', word: 'Paused', sentence: `Nothing is sent until it is resumed.${why}` };
  }
  if (failingSince !== null) {
    const [, duration] = /^(.+) ago$/.exec(formatRelative(new Date(failingSince), now)) ?? [];
    const what = duration === undefined ? 'The last request failed' : `Requests have failed for ${duration}`;
    return { tone: 'warning', word: 'Failing', sentence: `${what}. We keep trying.` };
  }
  if (eventTypeCount === 0) {
    return { tone: 'warning', word: 'Gets no events', sentence: 'No events are chosen for it.' };
  }
  if (lastDeliveryAt === null) return { tone: 'neutral', word: 'Ready', sentence: 'Nothing was sent yet.' };
  return { tone: 'success', word: 'Working', sentence: null };
}

const SHOWN_TYPES = 3;

/** Says which events an endpoint gets: "All events", "order.paid, order.refunded and 3 more". */
export function describeEventTypes({ eventTypes, eventTypeCount }: { eventTypes: string[]; eventTypeCount: number }) {
  if (eventTypeCount === 0) return 'No events';
  if (eventTypes.includes('*')) return 'All events';
  const shown = eventTypes.slice(0, SHOWN_TYPES);
  const more = eventTypeCount - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
