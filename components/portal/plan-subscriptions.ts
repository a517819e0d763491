import type { Subscription } from '@/lib/delivery/schema';

/** One request to the subscriptions of an endpoint. */
interface Change {
  method: 'POST' | 'PATCH' | 'DELETE';
  /** The subscription; undefined for a new one. */
  id?: string;
  body?: object;
}

/**
 * Returns the changes that add the wanted types that were not shown, and remove the shown ones that are not wanted. Those that add
 * come first: where it fails in between, no event is missed.
 * @param present may differ from what was shown: a colleague may have changed it
 */
export function planSubscriptions(
  present: readonly Pick<Subscription, 'id' | 'eventType' | 'enabled'>[],
  shown: readonly string[],
  wanted: readonly string[],
): Change[] {
  const added = wanted.flatMap((eventType): Change[] => {
    if (shown.includes(eventType)) return [];
    const found = present.find((each) => each.eventType === eventType);
    if (found === undefined) return [{ method: 'POST', body: { eventType } }];
    return found.enabled ? [] : [{ method: 'PATCH', id: found.id, body: { enabled: true } }];
  });
  const removed = present
    .filter(({ eventType, enabled }) => enabled && shown.includes(eventType) && !wanted.includes(eventType))
    .map(({ id }): Change => ({ method: 'DELETE', id }));
  return [...added, ...removed];
}
