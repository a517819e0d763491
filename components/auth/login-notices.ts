import { describeLifetime } from '@/components/auth-session/describe-lifetime';
import type { Tone } from '@/components/ui/badge';
import type { Registration } from '@/lib/auth/registration-policy';
import type { IdpFailure } from '@/lib/idp/types';

/** A message at the top of the sign-in page about what happened before. */
export interface LoginNotice {
  tone: Exclude<Tone, 'neutral'>;
  text: string;
}

/** What people without an account learn where not everybody may create one. */
export const REGISTRATION_NOTES = {
  invited: 'New here? You need an invitation.',
  closed: 'New accounts are closed.',
} as const satisfies Record<Exclude<Registration, 'open'>, string>;

/** Keyed by the query parameter `notice`. */
const NOTICES = new Map<string, LoginNotice>([
  ['password-set', { tone: 'success', text: 'Password set. Sign in with it.' }],
  ['password-confirmed', { tone: 'success', text: 'Password confirmed. Sign in with it.' }],
  ['account-deleted', { tone: 'success', text: 'Your account was deleted, and you’re signed out everywhere.' }],
  ['signed-out-elsewhere', { tone: 'warning', text: 'You signed out in another tab. Sign in to return to your page.' }],
  [
    'return-to-tab',
    { tone: 'warning', text: 'Sign in, then go back to your other tab. What you typed is still there.' },
  ],
  ['closed-elsewhere', { tone: 'warning', text: 'You were signed out on another device. Sign in again to continue.' }],
]);

/** Says after how long without use a session ends, and who can change that. */
function expiredNotice(sessionSeconds: number): LoginNotice {
  return {
    tone: 'warning',
    text: `Your session has expired: it ends after ${describeLifetime(sessionSeconds)} without use. Whoever runs this service can lengthen that. Sign in again to continue.`,
  };
}

/** Keyed by the query parameter `error`: how the identity provider sign-in failed. */
const FAILURES: Record<IdpFailure, LoginNotice> = {
  idp_denied: {
    tone: 'warning',
    text: 'You canceled the sign-in. Try again or use your password.',
  },
  idp_failed: {
    tone: 'danger',
    text: 'The provider couldn’t sign you in. Try again or use your password.',
  },
  idp_email_unverified: {
    tone: 'danger',
    text: 'Your email address isn’t verified with the provider. Verify it there and try again, or use your password.',
  },
  idp_conflict: {
    tone: 'danger',
    text: 'Your account is linked to a different account with this provider. Use that one or your password.',
  },
  registration_closed: {
    tone: 'warning',
    text: 'You have no account here yet. Ask a member of your organization, or whoever runs this service, to let you in.',
  },
};

const UNKNOWN_ERROR: LoginNotice = { tone: 'danger', text: 'We couldn’t sign you in. Try again.' };

/**
 * Returns the message for a query. It never contains text from the query, since anyone can craft a link.
 * @param sessionSeconds how long a session lasts without use
 */
export function loginNoticeOf(query: { get(name: string): string | null }, sessionSeconds: number): LoginNotice | null {
  const error = query.get('error');
  if (error !== null) return new Map(Object.entries(FAILURES)).get(error) ?? UNKNOWN_ERROR;
  const notice = query.get('notice') ?? '';
  return notice === 'session-expired' ? expiredNotice(sessionSeconds) : (NOTICES.get(notice) ?? null);
}
