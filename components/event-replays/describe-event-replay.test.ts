import { expect, it } from 'vitest';
import { describePreview, describeSkipped, percentOf } from './describe-event-replay';

const NONE = { pending: 0, disabled: 0, deleted: 0, gone: 0 };

it('names how many events would be sent, and whether there may be more', () => {
  expect(describePreview({ count: 1, isExact: true })).toBe('1 event');
  expect(describePreview({ count: 1312, isExact: false })).toBe('1,312 or more events');
});

it('says what was skipped and why, and nothing when nothing was', () => {
  expect(describeSkipped({ skipped: NONE })).toBeUndefined();
  expect(describeSkipped({ skipped: { ...NONE, pending: 2, gone: 1000 } })).toBe(
    'Skipped: 2 already on their way, 1,000 no longer stored.',
  );
});

it('shows how many of the events it has looked at, and a completed one as full', () => {
  expect(percentOf({ status: 'RUNNING', total: 300, checked: 100 })).toBe(33);
  expect(percentOf({ status: 'RUNNING', total: 0, checked: 0 })).toBe(100);
  expect(percentOf({ status: 'COMPLETED', total: 300, checked: 299 })).toBe(100);
});
