import { expect, it } from 'vitest';
import { isSentAgain } from './delivery-state-policy';

const PENDING = { status: 'PENDING', attemptCount: 2, lastError: null } as const;

it('is sent again while it is pending after an attempt that succeeded', () => {
  expect(isSentAgain(PENDING)).toBe(true);
});

it.each([
  ['it waits for its first attempt', { ...PENDING, attemptCount: 0 }],
  ['its last attempt failed', { ...PENDING, lastError: 'HTTP 500' }],
  ['it has arrived', { ...PENDING, status: 'SUCCEEDED' }],
] as const)('is not sent again when %s', (_case, delivery) => {
  expect(isSentAgain(delivery)).toBe(false);
});
