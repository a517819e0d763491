import { expect, it } from 'vitest';
import { ApiError } from '@/components/auth-session/api-error';
import { IDP_FAILURES } from '@/lib/idp/types';
import { providerPath } from './auth-form';
import { coolDownOf } from './cool-down';
import { loginNoticeOf } from './login-notices';

const noticeOf = (query: string, sessionSeconds = 86_400) => loginNoticeOf(new URLSearchParams(query), sessionSeconds);

it.each(IDP_FAILURES)('has its own sentence for %s, without the code', (code) => {
  const text = noticeOf(`error=${code}`)?.text ?? '';
  expect(text).toMatch(/^[A-Z].*\.$/);
  expect(text).not.toContain('idp');
  expect(text).not.toBe(noticeOf('error=anything')?.text);
});

it.each(['<b>Call 555-0100</b>', '__proto__', 'constructor', ''])('never shows text from the query: %j', (error) => {
  expect(noticeOf(`${new URLSearchParams({ error })}`)).toEqual({
    tone: 'danger',
    text: 'We couldn’t sign you in. Try again.',
  });
});

it.each(['password-set', 'password-confirmed', 'account-deleted'])('confirms %s', (notice) => {
  expect(noticeOf(`notice=${notice}`)?.tone).toBe('success');
});

it.each([
  [86_400, '1 day'],
  [2_592_000, '30 days'],
  [43_200, '12 hours'],
  [90, '2 minutes'],
])('says that a session of %d seconds ends after %s without use', (seconds, time) => {
  expect(noticeOf('notice=session-expired', seconds)?.text).toContain(`it ends after ${time} without use`);
});

it('returns null without a notice, and for an unknown one', () => {
  expect(noticeOf('')).toBeNull();
  expect(noticeOf('notice=You+won')).toBeNull();
  expect(noticeOf('returnTo=/account')).toBeNull();
});

it('starts at the provider and carries the return path', () => {
  expect(providerPath('idp', '/')).toBe('/api/v1/auth/oauth/idp');
  expect(providerPath('idp', '/projects/1/keys?x=1')).toBe(
    '/api/v1/auth/oauth/idp?returnTo=%2Fprojects%2F1%2Fkeys%3Fx%3D1',
  );
});

it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/login'])(
  'never carries the return path %j',
  (returnTo) => {
    expect(providerPath('idp', returnTo)).toBe('/api/v1/auth/oauth/idp');
  },
);

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
