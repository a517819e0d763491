import { afterAll, beforeAll, expect, it } from 'vitest';
import { showTimesIn } from '@/components/ui/time-zone';
import type { BulkRetry } from '@/lib/delivery/schema';
import { describeOutage, describeProgress, describeWaiting, sendingOf, sendingOfWaiting } from './describe-outage';

beforeAll(() => showTimesIn('UTC'));
afterAll(() => showTimesIn('LOCAL'));

const NOW = new Date('2026-01-31T20:00:00Z');
const FROM = '2026-01-31T13:02:00.000Z';
const TO = '2026-01-31T15:01:00.000Z';

it('names the time of an outage, with the day when it is another one', () => {
  expect(describeOutage({ from: FROM, to: TO }, NOW)).toBe('Down 13:02 to 15:01');
  expect(describeOutage({ from: FROM, to: null }, NOW)).toBe('Down since 13:02');
  const next = new Date('2026-02-01T09:00:00Z');
  expect(describeOutage({ from: FROM, to: TO }, next)).toBe('Down 31 Jan, 13:02 to 15:01');
  expect(describeOutage({ from: FROM, to: '2026-02-01T01:10:00.000Z' }, next)).toBe(
    'Down 31 Jan, 13:02 to 1 Feb, 01:10',
  );
});

it('names no end after now', () => {
  const outage = { from: '2026-01-31T13:07:00.000Z', to: '2026-01-31T13:11:00.000Z' };
  expect(describeOutage(outage, NOW)).toBe('Down 13:07 to 13:11');
  expect(describeOutage(outage, new Date('2026-01-31T13:10:16Z'))).toBe('Down 13:07 to 13:10');
  expect(describeOutage(outage, new Date('2026-01-31T13:07:31Z'))).toBe('Down at 13:07');
});

it('says what has not arrived, how far the sending is, and when it is done', () => {
  const left = { undelivered: 214, undeliveredIsAtLeast: false, nextAttemptAt: null };
  const none = { ...left, undelivered: 0 };
  const sending = { status: 'RUNNING', total: 214, retried: 100 } as const;
  expect(describeProgress(left, undefined, NOW)).toBe('214 waiting or failed');
  expect(describeProgress({ ...left, nextAttemptAt: '2026-01-31T20:05:00.000Z' }, undefined, NOW)).toBe(
    '214 waiting or failed, the next attempt at 20:05',
  );
  expect(describeProgress({ ...left, undelivered: 10_000, undeliveredIsAtLeast: true }, undefined, NOW)).toBe(
    '10,000 or more waiting or failed',
  );
  expect(describeProgress(left, sending, NOW)).toBe('sending 100 of 214, 214 not yet delivered');
  expect(describeProgress({ ...left, undelivered: 3 }, { ...sending, status: 'COMPLETED' }, NOW)).toBe(
    '3 waiting or failed',
  );
  expect(describeProgress(none, { ...sending, status: 'COMPLETED' }, NOW)).toBe(
    'done: every delivery of that time has arrived',
  );
  expect(describeProgress(none, undefined, NOW)).toBe('every delivery of that time has arrived');
});

it('says what waits, and when the next attempt is', () => {
  const waiting = { count: 10, countIsAtLeast: false, nextAttemptAt: '2026-01-31T20:05:00.000Z' };
  expect(describeWaiting(waiting, NOW)).toBe('10 deliveries wait, the next attempt at 20:05');
  expect(describeWaiting({ ...waiting, nextAttemptAt: '2026-02-01T01:00:00.000Z' }, NOW)).toBe(
    '10 deliveries wait, the next attempt at 1 Feb, 01:00',
  );
  expect(describeWaiting({ ...waiting, count: 1, nextAttemptAt: NOW.toISOString() }, NOW)).toBe(
    '1 delivery waits, the next attempt is due',
  );
  expect(describeWaiting({ ...waiting, count: 10_000, countIsAtLeast: true, nextAttemptAt: null }, NOW)).toBe(
    '10,000 or more deliveries wait',
  );
});

it('finds the bulk retry of what waits, and not that of an outage', () => {
  const retry = (filter: BulkRetry['filter']) => [{ filter } as BulkRetry];
  expect(sendingOfWaiting({ endpointId: 'a' }, retry({ endpointId: 'a', status: 'RETRYING' }))).toBeDefined();
  expect(sendingOfWaiting({ endpointId: 'a' }, retry({ endpointId: 'b', status: 'RETRYING' }))).toBeUndefined();
  expect(
    sendingOfWaiting({ endpointId: 'a' }, retry({ endpointId: 'a', status: 'RETRYING', from: FROM })),
  ).toBeUndefined();
});

it('finds the bulk retry of an outage, also one from before its end, and none of another endpoint or time', () => {
  const retry = (filter: BulkRetry['filter']) => [{ filter } as BulkRetry];
  const outage = { from: FROM, to: TO };
  expect(sendingOf({ endpointId: 'a' }, outage, retry({ endpointId: 'a', from: FROM, to: TO }))).toBeDefined();
  expect(sendingOf({ endpointId: 'a' }, outage, retry({ endpointId: 'a', from: FROM }))).toBeDefined();
  expect(sendingOf({ endpointId: 'a' }, outage, retry({ endpointId: 'b', from: FROM, to: TO }))).toBeUndefined();
  expect(sendingOf({ endpointId: 'a' }, outage, retry({ endpointId: 'a', from: TO }))).toBeUndefined();
});

it('tells a destination from an endpoint, and from another destination', () => {
  const retry = (filter: BulkRetry['filter']) => [
    { filter: { ...filter, from: FROM, to: TO } as BulkRetry['filter'] } as BulkRetry,
  ];
  const outage = { from: FROM, to: TO };
  expect(sendingOf({ destinationId: 'a' }, outage, retry({ destinationId: 'a' }))).toBeDefined();
  expect(sendingOf({ destinationId: 'a' }, outage, retry({ destinationId: 'b' }))).toBeUndefined();
  expect(sendingOf({ destinationId: 'a' }, outage, retry({ endpointId: 'a' }))).toBeUndefined();
  expect(sendingOf({ endpointId: 'a' }, outage, retry({ destinationId: 'a' }))).toBeUndefined();
});
