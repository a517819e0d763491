import { expect, it } from 'vitest';
import { RotateSourceUrlBody } from '@/lib/incoming/schema';
import { describeUrlEnd, URL_GRACE_CHOICES } from './url-grace';

it('offers only grace periods that the API accepts', () => {
  for (const { value } of URL_GRACE_CHOICES) {
    expect(RotateSourceUrlBody.safeParse({ gracePeriodHours: Number(value) }).success, value).toBe(true);
  }
});

it('says when the old URL ends', () => {
  const now = new Date('2026-01-31T12:00:00.000Z');
  expect(describeUrlEnd(0, now)).toContain('immediately');
  expect(describeUrlEnd(24, now)).toContain('1 Feb 2026');
});
