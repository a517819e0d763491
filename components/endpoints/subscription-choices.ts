import type { Subscription } from '@/lib/delivery/schema';

/** An event type, or a pattern, that an endpoint may receive. */
export interface SubscriptionChoice {
  eventType: string;
  /** The subscription, which may be disabled; undefined without one. */
  subscription: Subscription | undefined;
  /** Whether the endpoint receives it. */
  isChecked: boolean;
  /** Whether it is received because of another pattern alone, so that it cannot be unchecked here. */
  isFixed: boolean;
  /** Another pattern that is checked and includes it; null without one. */
  includedIn: string | null;
}

/** Returns what an endpoint can receive: everything, the patterns that it has, and the types that were seen. */
export function subscriptionChoices(seenTypes: readonly string[], subscriptions: readonly Subscription[]) {
  const byType = new Map(subscriptions.map((subscription) => [subscription.eventType, subscription]));
  const active = subscriptions.filter(({ enabled }) => enabled).map(({ eventType }) => eventType);
  const types = [...new Set([...seenTypes, ...byType.keys()])].filter((type) => type !== '*').sort();
  const [patterns, exact] = [types.filter(isPattern), types.filter((type) => !isPattern(type))];
  return ['*', ...patterns, ...exact].map((eventType): SubscriptionChoice => {
    const subscription = byType.get(eventType);
    const isSubscribed = subscription?.enabled === true;
    const includedIn = active.find((pattern) => pattern !== eventType && includes(pattern, eventType)) ?? null;
    const isIncluded = includedIn !== null;
    return {
      ...{ eventType, subscription, includedIn },
      isChecked: isSubscribed || isIncluded,
      isFixed: isIncluded && !isSubscribed,
    };
  });
}

/** Whether a pattern such as `order.*` matches everything that another pattern or type matches. */
function includes(pattern: string, eventType: string): boolean {
  if (pattern === '*') return true;
  return isPattern(pattern) && eventType.startsWith(pattern.slice(0, -1));
}

function isPattern(eventType: string): boolean {
  return eventType.endsWith('.*');
}
