import { useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import type { Subscription } from '@/lib/delivery/schema';

/** A checkbox for an event type or a pattern. */
export function TypeChoice({
  choice: { eventType, isChecked, isFixed, includedIn },
  isChanging = false,
  onToggle,
}: {
  choice: SubscriptionChoice;
  /** Whether a change is under way: it shows the other state already. */
  isChanging?: boolean;
  onToggle: () => void;
}) {
  const boxId = useId();
  const noteId = useId();
  return (
    <label htmlFor={boxId} className="flex min-h-8 items-center gap-2.5 py-1 text-sm">
      <Checkbox
        id={boxId}
        disabled={isFixed}
        aria-describedby={includedIn === null ? undefined : noteId}
        checked={isChanging ? !isChecked || includedIn !== null : isChecked}
        onChange={onToggle}
        aria-busy={isChanging}
      />
      <span className="wrap-anywhere flex min-w-0 flex-wrap items-baseline gap-x-2.5 text-muted text-xs">
        <span className="font-mono text-text">{eventType}</span>
        {eventType === '*' ? <span>all events</span> : null}
        {includedIn === null ? null : (
          // Described by it, so it is no part of the name.
          <span id={noteId} aria-hidden="true">
            {isFixed ? 'included in' : 'also in'} {includedIn}
          </span>
        )}
      </span>
    </label>
  );
}

/** An event type, or a pattern, that an endpoint may receive. */
type TypeSubscription = Pick<Subscription, 'eventType' | 'enabled'>;

export interface SubscriptionChoice<Subscribed = TypeSubscription> {
  eventType: string;
  /** The subscription, which may be disabled; undefined without one. */
  subscription: Subscribed | undefined;
  /** Whether the endpoint receives it. */
  isChecked: boolean;
  /** Whether it is received because of another pattern alone, so that it cannot be unchecked here. */
  isFixed: boolean;
  /** Another pattern that is checked and includes it; null without one. */
  includedIn: string | null;
}

/** Returns what an endpoint can receive: everything, the patterns that it has, and the types that were seen. */
export function subscriptionChoices<Subscribed extends TypeSubscription>(
  seenTypes: readonly string[],
  subscriptions: readonly Subscribed[],
): SubscriptionChoice<Subscribed>[] {
  const byType = new Map(subscriptions.map((subscription) => [subscription.eventType, subscription]));
  const active = subscriptions.filter(({ enabled }) => enabled).map(({ eventType }) => eventType);
  const types = [...new Set([...seenTypes, ...byType.keys()])].filter((type) => type !== '*').sort();
  const patterns = types.filter(isPattern);
  const exact = types.filter((type) => !isPattern(type));
  return ['*', ...patterns, ...exact].map((eventType) => {
    const subscription = byType.get(eventType);
    const isSubscribed = subscription?.enabled === true;
    const includedIn = active.find((pattern) => pattern !== eventType && includes(pattern, eventType)) ?? null;
    const isIncluded = includedIn !== null;
    return {
      eventType,
      subscription,
      includedIn,
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
