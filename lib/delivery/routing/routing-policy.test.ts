import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs } from '@/lib/platform/clock';
import {
  type DisabledPeriod,
  type RoutedEndpoint,
  type RoutedEvent,
  type RoutingOutcome,
  routeOf,
} from './routing-policy';

const AT = new Date('2026-11-28T10:00:00.000Z');
const MISFIT = 'Its filter leaves the event out: data.amount is 42, and it wants data.amount is at least 1000.';
const event: RoutedEvent = { type: 'order.paid', createdAt: AT, customerId: null, fanOutStatus: 'COMPLETED' };
const endpoint: RoutedEndpoint = {
  customerId: null,
  receivesCustomerEvents: false,
  enabled: true,
  createdAt: addMs(AT, -60_000),
  deletedAt: null,
  routingChangedAt: addMs(AT, -30_000),
  matching: [{ pattern: 'order.*', enabled: true }],
  patterns: ['order.*'],
  period: null,
  periodsKnownFrom: null,
  deliveryId: null,
};
const period = (from: number, to: number | null, reason: DisabledPeriod['reason'] = null): DisabledPeriod => ({
  startsAt: addMs(AT, from),
  endsAt: to === null ? null : addMs(AT, to),
  reason,
});

interface Case {
  event: Partial<RoutedEvent>;
  endpoint: Partial<RoutedEndpoint>;
  misfit: string | null;
}
const told = ({ event: ofEvent, endpoint: ofEndpoint, misfit }: Partial<Case>) =>
  routeOf({ ...event, ...ofEvent }, { ...endpoint, ...ofEndpoint }, () => misfit ?? null);

describe('the way of an event to an endpoint', () => {
  it.each<[string, Partial<Case>, RoutingOutcome, string]>([
    ['has a delivery', { endpoint: { deliveryId: 'd' } }, 'SENT', 'Its subscription to order.* matches.'],
    [
      'was sent by hand',
      { endpoint: { deliveryId: 'd', matching: [] } },
      'SENT',
      'It is not subscribed to order.paid: the event was sent to it by hand.',
    ],
    [
      'has a delivery by other subscriptions',
      { endpoint: { deliveryId: 'd', routingChangedAt: addMs(AT, 1) } },
      'SENT',
      'The event was sent to it. Its subscriptions or filter changed since.',
    ],
    [
      'waits',
      { event: { fanOutStatus: 'PENDING' }, endpoint: { createdAt: addMs(AT, 5) } },
      'SENT',
      'It is about to be sent. Its subscription to order.* matches.',
    ],
    [
      'waits while the endpoint is paused',
      { event: { fanOutStatus: 'PENDING' }, endpoint: { enabled: false, period: period(5, null) } },
      'DISABLED',
      'It has been paused since 2026-11-28 10:00:00 UTC.',
    ],
    [
      'has other subscriptions',
      { endpoint: { matching: [], patterns: ['a', 'b.*', 'c', 'd'] } },
      'NOT_SUBSCRIBED',
      'It is subscribed to a, b.*, c and others, not to order.paid. Subscribe it to order.paid for later events.',
    ],
    [
      'has no subscription',
      { endpoint: { matching: [], patterns: [] } },
      'NOT_SUBSCRIBED',
      'It has no enabled subscription. Subscribe it to order.paid for later events.',
    ],
    [
      'has a disabled subscription',
      { endpoint: { matching: [{ pattern: '*', enabled: false }], patterns: [] } },
      'NOT_SUBSCRIBED',
      'Its subscription to * is disabled. Enable it for later events.',
    ],
    [
      'is that of a customer’s event to an endpoint of the project',
      { event: { customerId: 'c' } },
      'NOT_SUBSCRIBED',
      'The event is for a customer, and this endpoint only gets events without one. Set receivesCustomerEvents to change that.',
    ],
    ['does not pass the filter', { misfit: MISFIT }, 'FILTERED', MISFIT],
    [
      'met a pause',
      { endpoint: { period: period(-5000, 65_000) } },
      'DISABLED',
      'It was paused from 2026-11-28 09:59:55 UTC to 2026-11-28 10:01:05 UTC.',
    ],
    [
      'met an endpoint that the service had disabled',
      { endpoint: { enabled: false, period: period(-5000, null, 'gone') } },
      'DISABLED',
      'It has been disabled since 2026-11-28 09:59:55 UTC, because its receiver answered with 410.',
    ],
    [
      'met a pause that began while the event waited',
      { endpoint: { period: period(1000, 2000, 'failing') } },
      'DISABLED',
      'It was disabled from 2026-11-28 10:00:01 UTC to 2026-11-28 10:00:02 UTC, because every attempt failed for 120 hours.',
    ],
    [
      'is that of another customer',
      { event: { customerId: 'c' }, endpoint: { customerId: 'other' } },
      'OTHER_CUSTOMER',
      'It belongs to a customer, and the event to another one. It only gets the events of its own customer.',
    ],
    [
      'is that of an endpoint with a customer, for an event without',
      { endpoint: { customerId: 'other' } },
      'OTHER_CUSTOMER',
      'It belongs to a customer, and the event to none. It only gets the events of its own customer.',
    ],
    [
      'was before the endpoint',
      { endpoint: { createdAt: addMs(AT, 1) } },
      'CREATED_LATER',
      'It was created at 2026-11-28 10:00:00 UTC, after the event.',
    ],
    [
      'ended with the endpoint',
      { endpoint: { deletedAt: addMs(AT, 1000), deliveryId: 'd' } },
      'DELETED',
      'It was deleted at 2026-11-28 10:00:01 UTC. The event was sent to it before.',
    ],
    [
      'was decided by what is changed',
      { endpoint: { routingChangedAt: addMs(AT, 1000) } },
      'UNKNOWN',
      'Its subscriptions or filter changed at 2026-11-28 10:00:01 UTC, after the event. What they were before is not known.',
    ],
    [
      'is before what is known of pauses',
      { endpoint: { periodsKnownFrom: addMs(AT, 1000) } },
      'UNKNOWN',
      'Whether it was disabled is not known before 2026-11-28 10:00:01 UTC: it was disabled very often.',
    ],
    [
      'ended as a dead letter',
      { event: { fanOutStatus: 'DEAD' } },
      'UNKNOWN',
      'Its subscription to order.* matches. But the service could not make deliveries of this event, after several tries.',
    ],
    [
      'cannot be explained',
      {},
      'UNKNOWN',
      'Its subscription to order.* matches. It is not known why it did not get the event.',
    ],
  ])('%s', (_, given, outcome, fact) => {
    expect(told(given)).toMatchObject({ outcome, fact });
  });

  it('tries the filter only if that decides', () => {
    const never = () => {
      throw new Error('tried');
    };
    const undecided: Partial<RoutedEndpoint>[] = [{ deliveryId: 'd' }, { matching: [] }, { period: period(-5, 5) }];
    for (const of of undecided) routeOf(event, { ...endpoint, ...of }, never);
    expect(() => routeOf(event, endpoint, never)).toThrow('tried');
  });

  it('advises to send the event where that is possible, and to enable the endpoint first where it is disabled', () => {
    const remedy = (given: Partial<Case>) => told(given).remedy;
    expect(remedy({ misfit: MISFIT })).toBe('send');
    expect(remedy({ misfit: MISFIT, endpoint: { enabled: false } })).toBe('enable');
    expect(remedy({ endpoint: { period: period(-5, 5) } })).toBe('send');
    for (const endpoint of [{ deliveryId: 'd' }, { deletedAt: AT }, { customerId: 'other' }]) {
      expect(remedy({ endpoint })).toBeNull();
    }
  });

  /** The rules one by one, from the strongest: what each says alone, whatever the others say. */
  const RULES: [RoutingOutcome, (event: RoutedEvent, endpoint: RoutedEndpoint, isMisfit: boolean) => boolean][] = [
    ['DELETED', (_, to) => to.deletedAt !== null],
    ['SENT', (_, to) => to.deliveryId !== null],
    ['OTHER_CUSTOMER', (of, to) => ![null, of.customerId].includes(to.customerId)],
    ['DISABLED', (of, to) => of.fanOutStatus === 'PENDING' && !to.enabled],
    ['CREATED_LATER', (of, to) => of.fanOutStatus !== 'PENDING' && to.createdAt > AT],
    ['DISABLED', (of, to) => of.fanOutStatus !== 'PENDING' && to.period !== null && to.period.startsAt <= AT],
    ['UNKNOWN', (of, to) => of.fanOutStatus !== 'PENDING' && to.periodsKnownFrom !== null && to.periodsKnownFrom > AT],
    ['UNKNOWN', (of, to) => of.fanOutStatus !== 'PENDING' && to.routingChangedAt !== null && to.routingChangedAt > AT],
    ['NOT_SUBSCRIBED', (of, to) => of.customerId !== null && to.customerId === null && !to.receivesCustomerEvents],
    ['NOT_SUBSCRIBED', (_, to) => !to.matching.some(({ enabled }) => enabled)],
    ['FILTERED', (_, _to, isMisfit) => isMisfit],
    ['SENT', (of) => of.fanOutStatus === 'PENDING'],
    ['UNKNOWN', (of) => of.fanOutStatus === 'DEAD'],
    ['DISABLED', (_, to) => to.period !== null],
    ['UNKNOWN', () => true],
  ];

  it('is decided by the first rule that applies, for any event and endpoint', () => {
    const time = fc.constantFrom(-2, -1, 0, 1, 2).map((ms) => addMs(AT, ms));
    const customerId = fc.constantFrom(null, 'a', 'b');
    const events = fc.record({ customerId, fanOutStatus: fc.constantFrom('PENDING', 'COMPLETED', 'DEAD' as const) });
    const endpoints = fc.record({
      customerId,
      receivesCustomerEvents: fc.boolean(),
      enabled: fc.boolean(),
      createdAt: time,
      deletedAt: fc.option(time, { freq: 1 }),
      routingChangedAt: fc.option(time),
      matching: fc.array(fc.record({ pattern: fc.constant('*'), enabled: fc.boolean() }), { maxLength: 2 }),
      period: fc.option(fc.record({ startsAt: time, endsAt: fc.constant(null), reason: fc.constant(null) })),
      periodsKnownFrom: fc.option(time),
      deliveryId: fc.option(fc.constant('d')),
    });
    fc.assert(
      fc.property(events, endpoints, fc.boolean(), (ofEvent, ofEndpoint, isMisfit) => {
        const of = { ...event, ...ofEvent } as RoutedEvent;
        const to = { ...endpoint, ...ofEndpoint };
        const expected = RULES.find(([, applies]) => applies(of, to, isMisfit))?.[0];
        expect(routeOf(of, to, () => (isMisfit ? MISFIT : null)).outcome).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
