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

it('offers everything, the types that were seen, and the patterns that are subscribed to', () => {
  expect(shown(['user.created', 'order.paid'], [to('order.*'), to('invoice.due', false)])).toEqual([
    ['*', false, null],
    ['invoice.due', false, null],
    ['order.*', true, null],
    ['order.paid', false, 'order.*'],
    ['user.created', false, null],
  ]);
});

it('includes everything in *, and does not include order in order.*', () => {
  expect(shown(['order'], [to('*'), to('order.*')])).toEqual([
    ['*', true, null],
    ['order', false, '*'],
    ['order.*', true, '*'],
  ]);
  expect(shown(['order', 'orders.paid'], [to('order.*')]).map(([, , includedIn]) => includedIn)).toEqual(
    Array(4).fill(null),
  );
});
