import type { Subscription } from '@/lib/delivery/schema';

/** An event type, or a pattern, that an endpoint may receive. */
export interface SubscriptionChoice {
  eventType: string;
  /** The subscription, which may be disabled; undefined without one. */
  subscription: Subscription | undefined;
  isChecked: boolean;
  /** Another pattern that is checked and includes it; null without one. */
  includedIn: string | null;
}

/** Returns what an endpoint can receive: everything, the types that were seen, and the patterns that it has. */
export function subscriptionChoices(seenTypes: readonly string[], subscriptions: readonly Subscription[]) {
  const byType = new Map(subscriptions.map((subscription) => [subscription.eventType, subscription]));
  const active = subscriptions.filter(({ enabled }) => enabled).map(({ eventType }) => eventType);
  const types = [...new Set([...seenTypes, ...byType.keys()])].filter((type) => type !== '*').sort();
  return ['*', ...types].map((eventType): SubscriptionChoice => {
    const subscription = byType.get(eventType);
    return {
      eventType,
      subscription,
      isChecked: subscription?.enabled === true,
      includedIn: active.find((pattern) => pattern !== eventType && includes(pattern, eventType)) ?? null,
    };
  });
}

/** Whether a pattern such as `order.*` matches everything that another pattern or type matches. */
function includes(pattern: string, eventType: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') && eventType.startsWith(pattern.slice(0, -1));
}
