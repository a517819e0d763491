import { expect, it } from 'vitest';
import { sampleType } from './sample-type';

it.each([
  ['*', 'order.paid'],
  ['order.*', 'order.paid'],
  ['invoice.*', 'invoice.created'],
  ['customer.plan.changed', 'customer.plan.changed'],
])('sends an event that a subscription to %s matches', (pattern, type) => {
  expect(sampleType(pattern)).toBe(type);
});
