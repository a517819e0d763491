import { describe, expect, it } from 'vitest';
import type { DataClass, RetentionRule } from '@/lib/retention/schema';
import { describeAttemptRules, formatRule } from './retention-labels';

const rule = (data: DataClass, days: number | null, perDelivery: number | null = null): RetentionRule => ({
  data,
  days,
  perDelivery,
  variable: null,
  isDefault: true,
  leavesByDay: false,
});
const rules = (success: number, failure: number, cap = 10) => [
  rule('succeededAttempts', success),
  rule('failedAttempts', failure),
  rule('attemptsPerDelivery', null, cap),
];

describe('retention labels', () => {
  it('format a rule as an age or a number per delivery', () => {
    expect(formatRule(rule('events', 90))).toBe('90 days');
    expect(formatRule(rule('events', 1))).toBe('1 day');
    expect(formatRule(rule('attemptsPerDelivery', null, 1000))).toBe('1,000 per delivery');
  });

  it('describe attempt rules with both ages and the limit', () => {
    expect(describeAttemptRules(rules(14, 90))).toBe(
      'Attempt details are kept for 14 days after a success and 90 days after a failure, at most 10 per delivery.',
    );
    expect(describeAttemptRules(rules(1, 3, 5))).toContain(
      '1 day after a success and 3 days after a failure, at most 5',
    );
  });

  it('name an age once when it is the same for both', () => {
    expect(describeAttemptRules(rules(30, 30))).toBe('Attempt details are kept for 30 days, at most 10 per delivery.');
  });

  it('describe no attempt rules when one is unknown', () => {
    expect(describeAttemptRules(rules(14, 90).slice(0, 2))).toBeNull();
  });
});
