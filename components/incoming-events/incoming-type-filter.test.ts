import { expect, it } from 'vitest';
import { ListIncomingEventsQuery } from '@/lib/incoming/schema';
import { incomingTypeFault, suggestIncomingTypes } from './incoming-type-filter';

it('suggests the types that contain a text, those that start with it first', () => {
  const seen = ['invoice.paid', 'Merge Request Hook', 'order.merged', 'push'];
  const values = (typed: string) => suggestIncomingTypes(seen, typed).map(({ value }) => value);
  expect(values('merge')).toEqual(['Merge Request Hook', 'order.merged']);
  expect(values('push')).toEqual([]);
  expect(values('')).toEqual(seen);
});

it.each(['invoice.paid', 'Push Hook', 'x'.repeat(200), 'x'.repeat(201)])(
  'agrees with the API about the type %s',
  (eventType) => {
    expect(incomingTypeFault(eventType) === undefined).toBe(ListIncomingEventsQuery.safeParse({ eventType }).success);
  },
);
