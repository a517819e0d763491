import type { DisableReason } from '@/lib/delivery/worker-counters';
import type { FanOutStatus } from '@/lib/events/schema';

export const ROUTING_OUTCOMES = [
  'SENT',
  'NOT_SUBSCRIBED',
  'FILTERED',
  'DISABLED',
  'OTHER_CUSTOMER',
  'CREATED_LATER',
  'DELETED',
  'UNKNOWN',
] as const;
export type RoutingOutcome = (typeof ROUTING_OUTCOMES)[number];

export interface RoutedEvent {
  type: string;
  createdAt: Date;
  customerId: string | null;
  fanOutStatus: FanOutStatus;
}

/** A time in which an endpoint was disabled. It has no end while it lasts. */
export interface DisabledPeriod {
  startsAt: Date;
  endsAt: Date | null;
  /** Null for a person. */
  reason: DisableReason | null;
}

/** What is known of an endpoint, as it is at present. */
export interface RoutedEndpoint {
  customerId: string | null;
  receivesCustomerEvents: boolean;
  enabled: boolean;
  createdAt: Date;
  deletedAt: Date | null;
  /** The last change of its subscriptions, its filter or `receivesCustomerEvents`; null before the first. */
  routingChangedAt: Date | null;
  /** The patterns of its subscriptions that match the type of the event. */
  matching: readonly { pattern: string; enabled: boolean }[];
  /** Patterns of its enabled subscriptions, in order: a few more than are named. */
  patterns: readonly string[];
  /** The first period that ends after the event: the one of the event, or the next one. */
  period: DisabledPeriod | null;
  /** Before this time, periods have been forgotten; null if none has. */
  periodsKnownFrom: Date | null;
  deliveryId: string | null;
}

export interface Route {
  outcome: RoutingOutcome;
  /** What decided, in sentences for people. */
  fact: string;
  /** What helps now: to send the event to this endpoint, or to enable it first. Null where neither does. */
  remedy: 'send' | 'enable' | null;
}

/**
 * Says where an event went, or why not. What is certain comes first: a delivery, the customer, and when the endpoint was created and
 * disabled. Its present subscriptions and filter explain only events since their last change.
 * @param describeMisfit says why the filter of the endpoint leaves the event out; null if it matches, or there is none. Called only if that decides
 */
export function routeOf(event: RoutedEvent, endpoint: RoutedEndpoint, describeMisfit: () => string | null): Route {
  const { deletedAt, deliveryId, createdAt, period, periodsKnownFrom, routingChangedAt } = endpoint;
  if (deletedAt !== null) {
    const before = deliveryId === null ? '' : ' The event was sent to it before.';
    return route('DELETED', `It was deleted at ${inWords(deletedAt)}.${before}`);
  }
  if (deliveryId !== null) return route('SENT', describeSent(event, endpoint));
  if (endpoint.customerId !== null && endpoint.customerId !== event.customerId) {
    const whose = event.customerId === null ? 'and the event to none' : 'and the event to another one';
    return route('OTHER_CUSTOMER', `It belongs to a customer, ${whose}. It only gets the events of its own customer.`);
  }
  if (event.fanOutStatus === 'PENDING') {
    if (!endpoint.enabled) return route('DISABLED', describePeriod(period), 'enable');
    return (
      misroute(event, endpoint, describeMisfit) ?? route('SENT', `It is about to be sent. ${describeMatch(endpoint)}`)
    );
  }
  if (createdAt > event.createdAt) {
    return route('CREATED_LATER', `It was created at ${inWords(createdAt)}, after the event.`, remedyOf(endpoint));
  }
  const disabled = () => route('DISABLED', describePeriod(period), remedyOf(endpoint));
  if (period !== null && period.startsAt <= event.createdAt) return disabled();
  if (periodsKnownFrom !== null && periodsKnownFrom > event.createdAt) {
    const fact = `Whether it was disabled is not known before ${inWords(periodsKnownFrom)}: it was disabled very often.`;
    return route('UNKNOWN', fact, remedyOf(endpoint));
  }
  if (routingChangedAt !== null && routingChangedAt > event.createdAt) {
    const fact = `Its subscriptions or filter changed at ${inWords(routingChangedAt)}, after the event. What they were before is not known.`;
    return route('UNKNOWN', fact, remedyOf(endpoint));
  }
  const misrouted = misroute(event, endpoint, describeMisfit);
  if (misrouted !== null) return misrouted;
  if (event.fanOutStatus === 'DEAD') {
    const fact = `${describeMatch(endpoint)} But the service could not make deliveries of this event, after several tries.`;
    return route('UNKNOWN', fact, remedyOf(endpoint));
  }
  // The event waited, and nothing else explains it.
  if (period !== null) return disabled();
  return route(
    'UNKNOWN',
    `${describeMatch(endpoint)} It is not known why it did not get the event.`,
    remedyOf(endpoint),
  );
}

const route = (outcome: RoutingOutcome, fact: string, remedy: Route['remedy'] = null): Route => ({
  outcome,
  fact,
  remedy,
});

const remedyOf = ({ enabled }: RoutedEndpoint) => (enabled ? 'send' : 'enable');

/** Returns why an endpoint is not among those that an event is for; null if it is. */
function misroute(event: RoutedEvent, endpoint: RoutedEndpoint, describeMisfit: () => string | null): Route | null {
  const not = (fact: string) => route('NOT_SUBSCRIBED', fact, remedyOf(endpoint));
  const { matching, patterns } = endpoint;
  if (event.customerId !== null && endpoint.customerId === null && !endpoint.receivesCustomerEvents) {
    return not(
      'The event is for a customer, and this endpoint only gets events without one. Set receivesCustomerEvents to change that.',
    );
  }
  if (!matching.some(({ enabled }) => enabled)) {
    const [disabled] = matching;
    if (disabled !== undefined)
      return not(`Its subscription to ${disabled.pattern} is disabled. Enable it for later events.`);
    const subscribe = `Subscribe it to ${event.type} for later events.`;
    if (patterns.length === 0) return not(`It has no enabled subscription. ${subscribe}`);
    return not(`It is subscribed to ${listed(patterns)}, not to ${event.type}. ${subscribe}`);
  }
  const misfit = describeMisfit();
  return misfit === null ? null : route('FILTERED', misfit, remedyOf(endpoint));
}

function describeSent({ createdAt, type }: RoutedEvent, endpoint: RoutedEndpoint): string {
  const { routingChangedAt, matching } = endpoint;
  if (routingChangedAt !== null && routingChangedAt > createdAt) {
    return 'The event was sent to it. Its subscriptions or filter changed since.';
  }
  const isSubscribed = matching.some(({ enabled }) => enabled);
  return isSubscribed ? describeMatch(endpoint) : `It is not subscribed to ${type}: the event was sent to it by hand.`;
}

function describeMatch({ matching }: RoutedEndpoint): string {
  return `Its subscription to ${matching.find(({ enabled }) => enabled)?.pattern} matches.`;
}

const REASONS: Record<DisableReason, string> = {
  gone: ', because its receiver answered with 410',
  failing: ', because every attempt failed for 120 hours',
};

function describePeriod(period: DisabledPeriod | null): string {
  if (period === null) return 'It is disabled.';
  const { startsAt, endsAt, reason } = period;
  const why = reason === null ? '' : REASONS[reason];
  const what = reason === null ? 'paused' : 'disabled';
  if (endsAt === null) return `It has been ${what} since ${inWords(startsAt)}${why}.`;
  return `It was ${what} from ${inWords(startsAt)} to ${inWords(endsAt)}${why}.`;
}

const MAX_NAMED = 3;

/** Patterns that a reason may need: those that it names, and one that tells that there are more. */
export const MAX_PATTERNS = MAX_NAMED + 1;

function listed(patterns: readonly string[]): string {
  const named = patterns.slice(0, MAX_NAMED);
  return patterns.length > MAX_NAMED ? `${named.join(', ')} and others` : named.join(', ');
}

/** Returns a time as 2026-01-31 09:30:05 UTC. */
function inWords(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
