import type { Endpoint, Subscription } from '@/lib/delivery/schema';
import { splitPattern } from '@/lib/events/type-pattern-policy';

/** Why a subscription that matches an event made no delivery of it. */
export interface MissedBy {
  subscription: Subscription;
  endpoint: Endpoint | undefined;
  why:
    | 'endpoint disabled'
    | 'endpoint paused'
    | 'subscription disabled'
    | 'subscribed later'
    | 'filtered'
    | 'enabled later';
  /** When that began; null if it is not known. */
  at: string | null;
}

/** Returns the subscriptions that match the type of an event without deliveries, each with what kept it from making one. */
export function explainNoDelivery(
  event: { type: string; createdAt: string },
  subscriptions: readonly Subscription[],
  endpoints: readonly Endpoint[],
): MissedBy[] {
  const matching = subscriptions.filter(({ eventType }) => matches(eventType, event.type));
  return matching.map((subscription): MissedBy => {
    const endpoint = endpoints.find(({ id }) => id === subscription.endpointId);
    const missedBy = (why: MissedBy['why'], at: string | null): MissedBy => ({ subscription, endpoint, why, at });
    if (endpoint !== undefined && !endpoint.enabled) {
      return missedBy(endpoint.disabledReason === null ? 'endpoint paused' : 'endpoint disabled', endpoint.disabledAt);
    }
    if (!subscription.enabled) return missedBy('subscription disabled', null);
    if (subscription.createdAt > event.createdAt) return missedBy('subscribed later', subscription.createdAt);
    return missedBy(endpoint !== undefined && endpoint.filter !== null ? 'filtered' : 'enabled later', null);
  });
}

function matches(pattern: string, type: string): boolean {
  const { exact, prefix } = splitPattern(pattern);
  return exact === null ? type.startsWith(prefix ?? '') : type === exact;
}
