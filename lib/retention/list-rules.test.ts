import { describe, expect, it } from 'vitest';
import { parseConfig } from '@/lib/platform/config/config';
import { listRules } from './list-rules';

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
