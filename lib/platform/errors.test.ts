import { expect, it } from 'vitest';
import { oneLineOf } from './errors';

it('an error is described in one line, an AggregateError by its first error', () => {
  expect(oneLineOf(new Error('canceling statement\n  due to timeout'))).toBe('canceling statement due to timeout');
  const tries = [new Error('connect ECONNREFUSED ::1:5432'), new Error('connect ECONNREFUSED 127.0.0.1:5432')];
  expect(oneLineOf(new AggregateError(tries))).toBe('connect ECONNREFUSED ::1:5432');
  expect(oneLineOf(new AggregateError([]))).toBe('AggregateError');
  expect(oneLineOf('no')).toBe('no');
});
