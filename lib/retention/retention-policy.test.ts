import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { parseConfig } from '@/lib/platform/config/config';
import { listRules } from './list-rules';
import { expiryCutoff, hasPeriodExpired, policyOf } from './retention-policy';
import { evaluateRetention, type RetainedRecord } from './retention-warning-policy';

describe('the policy of a deployment', () => {
  it('is the specified one by default', () => {
    expect(policyOf(parseConfig({}))).toEqual({
      failedAttemptsDays: 90,
      succeededAttemptsDays: 14,
      eventsDays: 90,
      incomingEventsDays: 30,
      deadOutboxDays: 90,
      tunnelLogDays: 7,
      maxAttemptsPerDelivery: 10,
      batchSize: 1000,
      maintainsPartitions: true,
    });
  });

  it.each([
    ['DATA_RETENTION_ATTEMPTS_DAYS', '5', { failedAttemptsDays: 5 }],
    ['DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS', '3', { succeededAttemptsDays: 3 }],
    ['DATA_RETENTION_EVENTS_DAYS', '365', { eventsDays: 365 }],
    ['DATA_RETENTION_INCOMING_EVENTS_DAYS', '1', { incomingEventsDays: 1 }],
    ['OUTBOX_DEAD_RETENTION_DAYS', '7', { deadOutboxDays: 7 }],
    ['DATA_RETENTION_MAX_ATTEMPTS_PER_DELIVERY', '25', { maxAttemptsPerDelivery: 25 }],
    ['DATA_RETENTION_BATCH_SIZE', '50', { batchSize: 50 }],
    ['PARTITION_MAINTENANCE_ENABLED', 'false', { maintainsPartitions: false }],
  ])('changes only its own part with %s', (name, value, changed) => {
    expect(policyOf(parseConfig({ [name]: value }))).toEqual({ ...policyOf(parseConfig({})), ...changed });
  });
});

describe('expiry', () => {
  const now = new Date('2026-03-15T02:00:00.000Z');
  const isExpired = (createdAt: Date, days: number, at = now) =>
    createdAt.getTime() <= expiryCutoff(at, days).getTime();

  it('of 14 days includes a row that is exactly 14 days old, and not one that is a millisecond younger', () => {
    expect(isExpired(new Date('2026-03-01T02:00:00.000Z'), 14)).toBe(true);
    expect(isExpired(new Date('2026-03-01T02:00:00.001Z'), 14)).toBe(false);
    expect(isExpired(new Date('2026-03-01T01:59:59.999Z'), 14)).toBe(true);
  });

  const instants = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) }).map((ms) => new Date(ms));
  const windows = fc.integer({ min: 1, max: 36_500 });

  it('is final while time passes and windows are shortened', () => {
    fc.assert(
      fc.property(instants, instants, windows, fc.nat(1e12), fc.nat(1000), (row, at, days, laterMs, longerBy) => {
        if (isExpired(row, days + longerBy, at)) expect(isExpired(row, days, at)).toBe(true);
        if (isExpired(row, days, at)) expect(isExpired(row, days, addMs(at, laterMs))).toBe(true);
      }),
    );
  });

  it('depends only on the age', () => {
    fc.assert(
      fc.property(instants, instants, windows, fc.integer({ min: -1e11, max: 1e11 }), (row, at, days, byMs) => {
        expect(isExpired(addMs(row, byMs), days, addMs(at, byMs))).toBe(isExpired(row, days, at));
      }),
    );
  });

  it('applies to a period if and only if it applies to its last possible row', () => {
    const nearby = fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS });
    fc.assert(
      fc.property(instants, windows, fc.oneof(nearby, fc.integer({ min: -2, max: 2 })), (at, days, offMs) => {
        const to = addMs(expiryCutoff(at, days), offMs);
        // The end is exclusive; a period has microseconds after its last millisecond.
        expect(hasPeriodExpired({ to }, at, days)).toBe(to.getTime() - 0.001 <= expiryCutoff(at, days).getTime());
      }),
    );
  });
});

const HOUR_MS = 3_600_000;
const now = new Date('2026-11-21T12:00:00Z');
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
const record = (change: Partial<RetainedRecord> = {}): RetainedRecord => ({
  rows: 2000,
  rowsADayAgo: 1000,
  removedSince: 0,
  oldestExpiresAt: ago(25),
  ...change,
});

describe('the warning of a table', () => {
  it('is growing when it has more rows than a day ago, no row was removed, and its oldest is overdue', () => {
    expect(evaluateRetention(record(), now)).toBe('growing');
  });

  it('is absent for a young deployment, which grows and has nothing to remove', () => {
    expect(evaluateRetention(record({ oldestExpiresAt: ago(-24 * 80) }), now)).toBeNull();
    expect(evaluateRetention(record({ oldestExpiresAt: null }), now)).toBeNull();
  });

  it('is absent until a day after the oldest row expired, since the next run may be a day away', () => {
    expect(evaluateRetention(record({ oldestExpiresAt: ago(24) }), now)).toBeNull();
    expect(evaluateRetention(record({ oldestExpiresAt: new Date(ago(24).getTime() - 1) }), now)).toBe('growing');
  });

  it('is overdue when rows are removed or the table does not grow', () => {
    expect(evaluateRetention(record({ removedSince: 1 }), now)).toBe('overdue');
    expect(evaluateRetention(record({ rows: 1000 }), now)).toBe('overdue');
  });

  it('is not growing without a record', () => {
    expect(evaluateRetention(record({ rowsADayAgo: null }), now)).toBe('overdue');
  });
});

const rulesOf = (environment: Record<string, string> = {}) => listRules(parseConfig(environment));
const rule = (data: string, environment: Record<string, string> = {}) =>
  rulesOf(environment).find((candidate) => candidate.data === data);

describe('the rules of a deployment', () => {
  it('are the specified ones by default', () => {
    expect(rulesOf().map(({ data, days, perDelivery }) => [data, days ?? perDelivery])).toEqual([
      ['succeededAttempts', 14],
      ['failedAttempts', 90],
      ['attemptsPerDelivery', 10],
      ['events', 90],
      ['incomingEvents', 30],
      ['deadOutbox', 90],
      ['tunnelRequests', 7],
    ]);
    expect(rulesOf().every(({ isDefault }) => isDefault)).toBe(true);
  });

  it('name their variable and whether it was changed', () => {
    expect(rule('events', { DATA_RETENTION_EVENTS_DAYS: '30' })).toMatchObject({
      days: 30,
      variable: 'DATA_RETENTION_EVENTS_DAYS',
      isDefault: false,
    });
    expect(rule('attemptsPerDelivery', { DATA_RETENTION_MAX_ATTEMPTS_PER_DELIVERY: '3' })).toMatchObject({
      days: null,
      perDelivery: 3,
      isDefault: false,
    });
    expect(rule('tunnelRequests')).toMatchObject({ variable: null, isDefault: true });
  });

  it('say that rows are removed by day only for partitioned tables, and only while partitions are maintained', () => {
    const byDay = (environment: Record<string, string>) =>
      rulesOf(environment).flatMap(({ data, leavesByDay }) => (leavesByDay ? [data] : []));
    expect(byDay({})).toEqual(['succeededAttempts', 'failedAttempts', 'tunnelRequests']);
    expect(byDay({ PARTITION_MAINTENANCE_ENABLED: 'false' })).toEqual([]);
  });
});
