import { expect, it } from 'vitest';
import { explainPattern } from './explain-pattern';

it('explains that * matches every event', () => {
  expect(explainPattern(' * ')).toBe('Every event in the project.');
});

it('explains that a prefix does not match itself', () => {
  expect(explainPattern('order.*')).toContain('order.item.added');
  expect(explainPattern('order.*')).toContain('not “order” itself');
});

it('explains that other patterns match exactly', () => {
  expect(explainPattern('order.paid')).toBe('Only events of type “order.paid”.');
});
