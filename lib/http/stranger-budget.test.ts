import { expect, it } from 'vitest';
import { isAppError } from '@/lib/platform/errors';
import { StrangerBudget } from './stranger-budget';

/** How many of `count` requests at one moment a budget allows. */
function allowed(budget: StrangerBudget, count: number, { network = 'a', cost = 1, atMs = 0 } = {}): number {
  return Array.from({ length: count }).filter(() => {
    try {
      budget.spend(network, cost, atMs);
      return true;
    } catch (error) {
      expect(isAppError(error) && [error.code, error.options.retryAfterSeconds]).toEqual(['rate_limited', 1]);
      return false;
    }
  }).length;
}

it('allows a burst of three seconds, and then a number of requests a second', () => {
  const budget = new StrangerBudget(10);
  expect(allowed(budget, 100)).toBe(30);
  expect(allowed(budget, 100, { atMs: 1_000 })).toBe(10);
  expect(allowed(budget, 100, { atMs: 60_000 })).toBe(30);
});

it('counts each network for itself, and a page as several requests', () => {
  const budget = new StrangerBudget(10);
  expect(allowed(budget, 100, { network: 'a', cost: 4 })).toBe(7);
  expect(allowed(budget, 100, { network: 'b', cost: 4 })).toBe(7);
});

it('allows a page with the smallest budget', () => {
  const budget = new StrangerBudget(1);
  expect(allowed(budget, 5, { cost: 10 })).toBe(1);
  expect(allowed(budget, 5, { cost: 10, atMs: 20_000 })).toBe(1);
});

it('has no bound with 0', () => {
  expect(allowed(new StrangerBudget(0), 1_000)).toBe(1_000);
});
