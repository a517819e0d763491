import { expect, it } from 'vitest';
import { explainPattern } from './explain-pattern';

it('says that a star takes everything', () => {
  expect(explainPattern(' * ')).toBe('Every event of the project.');
});

it('says that a prefix takes what lies below it and not the prefix itself', () => {
  expect(explainPattern('order.*')).toContain('at any depth');
  expect(explainPattern('order.*')).toContain('not “order” itself');
});

it('says that anything else is compared exactly', () => {
  expect(explainPattern('order.paid')).toBe('Events of the type “order.paid” only.');
});
