import { expect, it } from 'vitest';
import { IDP_FAILURES } from '@/lib/idp/types';
import { loginNoticeOf } from './login-notices';

const noticeOf = (query: string) => loginNoticeOf(new URLSearchParams(query));

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

it('says that another device closed the session', () => {
  expect(noticeOf('notice=closed-elsewhere')?.text).toBe(
    'You were signed out on another device. Sign in again to continue.',
  );
});

it('returns null without a notice, and for an unknown one', () => {
  expect(noticeOf('')).toBeNull();
  expect(noticeOf('notice=You+won')).toBeNull();
  expect(noticeOf('returnTo=/account')).toBeNull();
});
