import { describe, expect, it } from 'vitest';
import type { RetentionRule } from '@/lib/retention/schema';
import { createdBeforeRetention, timestampOfId } from './id-age';

const MADE = '019aa000-0000-7000-8000-000000000000';
const madeAt = new Date(0x019aa0000000);
const DAY_MS = 86_400_000;
const later = (days: number) => new Date(madeAt.getTime() + days * DAY_MS);
const rule = (data: RetentionRule['data'], days: number): RetentionRule => ({
  data,
  days,
  perDelivery: null,
  variable: null,
  isDefault: true,
  leavesByDay: false,
});
const RULES = [rule('events', 90), rule('incomingEvents', 30)];

describe('the age of an id', () => {
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
