import { expect, it } from 'vitest';
import { RoundRobin } from './round-robin';

it('serves tenants in turn, and the items of each in order, however many one has', () => {
  const queue = new RoundRobin<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) queue.push(item.slice(0, 1), item);
  const served = [queue.shift(), queue.shift()];
  queue.push('d', 'd1');
  while (queue.length > 0) served.push(queue.shift());
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3', 'a4']);
  expect(queue.shift()).toBeUndefined();
});

it('leaves out an item that is removed before its turn, and its tenant with the last one', () => {
  const queue = new RoundRobin<string>();
  for (const item of ['a1', 'a2', 'b1', 'c1']) queue.push(item.slice(0, 1), item);
  expect(queue.shift()).toBe('a1');
  for (const item of ['b1', 'b1', 'a1', 'd1']) queue.remove(item.slice(0, 1), item);
  expect(queue.length).toBe(2);
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['c1', 'a2', undefined]);
});
