import type { Subscription } from '@/lib/delivery/schema';

/** One request to the subscriptions of an endpoint. */
interface Change {
  method: 'POST' | 'PATCH' | 'DELETE';
  /** The subscription; undefined for a new one. */
  id?: string;
  body?: object;
}

/**
 * Returns the changes after which an endpoint gets exactly the wanted types. Those that add come first: where it fails in between, no
 * event is missed.
 */
export function planSubscriptions(
  present: readonly Pick<Subscription, 'id' | 'eventType' | 'enabled'>[],
  wanted: readonly string[],
): Change[] {
  const added = wanted.flatMap((eventType): Change[] => {
    const found = present.find((each) => each.eventType === eventType);
    if (found === undefined) return [{ method: 'POST', body: { eventType } }];
    return found.enabled ? [] : [{ method: 'PATCH', id: found.id, body: { enabled: true } }];
  });
  const removed = present
    .filter(({ eventType, enabled }) => enabled && !wanted.includes(eventType))
    .map(({ id }): Change => ({ method: 'DELETE', id }));
  return [...added, ...removed];
}
