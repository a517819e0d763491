import { describe, expect, it } from 'vitest';
import type { DataClass, RetentionRule } from '@/lib/retention/schema';
import {
  createdBeforeRetention,
  describeAttemptRules,
  exceededRetentionDays,
  formatRule,
  timestampOfId,
} from './retention-labels';

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

describe('the age of an id', () => {
  const MADE = '019aa000-0000-7000-8000-000000000000';
  const madeAt = new Date(0x019aa0000000);
  const DAY_MS = 86_400_000;
  const later = (days: number) => new Date(madeAt.getTime() + days * DAY_MS);
  const RULES = [rule('events', 90), rule('incomingEvents', 30)];

  it('is read from a UUIDv7 only', () => {
    expect(timestampOfId(MADE)).toEqual(madeAt);
    expect(timestampOfId(MADE.toUpperCase())).toEqual(madeAt);
    for (const other of ['019aa000-0000-4000-8000-000000000000', '', 'events', `${MADE}0`]) {
      expect(timestampOfId(other)).toBeNull();
    }
  });

  it('exceeds retention from the day the rule removes the row', () => {
    expect(createdBeforeRetention(MADE, RULES, ['events'], later(89.99))).toBeNull();
    expect(createdBeforeRetention(MADE, RULES, ['events'], later(90))).toEqual(madeAt);
  });

  it('is compared with the shorter of two rules when either can apply', () => {
    expect(createdBeforeRetention(MADE, RULES, ['events', 'incomingEvents'], later(30))).toEqual(madeAt);
    expect(createdBeforeRetention(MADE, RULES, ['events', 'incomingEvents'], later(29))).toBeNull();
  });

  it('returns null while the rules are unknown', () => {
    expect(createdBeforeRetention(MADE, undefined, ['events'], later(1000))).toBeNull();
  });
});

const NOW = new Date('2026-01-31T12:00:00.000Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();

it('returns how long events are kept only for a list that reaches further back', () => {
  expect(exceededRetentionDays(undefined, 90, NOW)).toBe(90);
  expect(exceededRetentionDays(daysAgo(30), 7, NOW)).toBe(7);
  expect(exceededRetentionDays(daysAgo(7), 7, NOW)).toBeNull();
  expect(exceededRetentionDays(daysAgo(1), 90, NOW)).toBeNull();
  expect(exceededRetentionDays(undefined, undefined, NOW)).toBeNull();
});
