import { expect, it } from 'vitest';
import type { Subscription } from '@/lib/delivery/schema';
import { subscriptionChoices } from './subscription-choices';

const to = (eventType: string, enabled = true) => ({ eventType, enabled }) as Subscription;
const shown = (seen: string[], subscriptions: Subscription[]) =>
  subscriptionChoices(seen, subscriptions).map(({ eventType, isChecked, includedIn }) => [
    eventType,
    isChecked,
    includedIn,
  ]);

it('offers everything, then the patterns that are subscribed to, then the types that were seen', () => {
  expect(shown(['user.created', 'order.paid'], [to('order.*'), to('invoice.due', false)])).toEqual([
    ['*', false, null],
    ['order.*', true, null],
    ['invoice.due', false, null],
    ['order.paid', true, 'order.*'],
    ['user.created', false, null],
  ]);
});

it('lets a type be changed unless only a pattern includes it', () => {
  const choices = subscriptionChoices(['order.paid', 'order.sent', 'user.created'], [to('order.*'), to('order.paid')]);
  expect(choices.map(({ eventType, isFixed }) => [eventType, isFixed])).toEqual([
    ['*', false],
    ['order.*', false],
    ['order.paid', false],
    ['order.sent', true],
    ['user.created', false],
  ]);
});

it('includes everything in *, and does not include order in order.*', () => {
  expect(shown(['order'], [to('*'), to('order.*')])).toEqual([
    ['*', true, null],
    ['order.*', true, '*'],
    ['order', true, '*'],
  ]);
  expect(shown(['order', 'orders.paid'], [to('order.*')]).map(([, , includedIn]) => includedIn)).toEqual(
    Array(4).fill(null),
  );
});
