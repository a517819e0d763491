import { expect, it } from 'vitest';
import { ApiError } from '@/components/auth-session/api-error';
import { coolDownOf } from './use-cool-down';

const apiError = (status: number, retryAfterSeconds: number | null) =>
  new ApiError({ status, code: 'x', detail: 'x', requestId: null, retryAfterSeconds });

it('waits as long as a locked account requires', () => {
  expect(coolDownOf(apiError(423, 42), 1000)).toEqual({ reason: 'locked', until: 43_000 });
});

it('waits as long as a rate limit requires', () => {
  expect(coolDownOf(apiError(429, 7), 1000)).toEqual({ reason: 'rate-limited', until: 8000 });
});

it('waits a minute without a Retry-After', () => {
  expect(coolDownOf(apiError(429, null), 0)).toEqual({ reason: 'rate-limited', until: 60_000 });
});

it.each([apiError(401, null), apiError(503, 5), new Error('x')])('does not wait for any other error', (error) => {
  expect(coolDownOf(error, 0)).toBeNull();
});
