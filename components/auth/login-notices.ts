import type { Tone } from '@/components/ui/badge';
import type { IdpFailure } from '@/lib/idp/types';

/** What the sign-in page says on top because of where the person comes from. */
export interface LoginNotice {
  tone: Exclude<Tone, 'neutral'>;
  text: string;
}

/** By `notice` of the query. */
const NOTICES = new Map<string, LoginNotice>([
  ['password-set', { tone: 'success', text: 'Password set. Sign in with it.' }],
  ['password-confirmed', { tone: 'success', text: 'Password confirmed. Sign in with it.' }],
  ['account-deleted', { tone: 'success', text: 'Your account is deleted, and you are signed out everywhere.' }],
]);

/** By `error` of the query: how the way through the identity provider ended (CONTRACT 2). */
const FAILURES: Record<IdpFailure, LoginNotice> = {
  idp_denied: {
    tone: 'warning',
    text: 'You cancelled at the provider, so you are not signed in. Try again, or use your password.',
  },
  idp_failed: {
    tone: 'danger',
    text: 'The provider could not sign you in this time. Try again, or use your password.',
  },
  idp_email_unverified: {
    tone: 'danger',
    text: 'Your address is not verified at the provider. Verify it there and try again, or use your password.',
  },
  idp_conflict: {
    tone: 'danger',
    text: 'The account with this address is linked to another account of that provider. Continue with that one, or use your password.',
  },
};

const UNKNOWN_ERROR: LoginNotice = { tone: 'danger', text: 'You could not be signed in. Try again.' };

/** The notice for a query. Nothing of the query is shown itself: anybody can write a link to this page. */
export function loginNoticeOf(query: { get(name: string): string | null }): LoginNotice | null {
  const error = query.get('error');
  if (error !== null) return new Map(Object.entries(FAILURES)).get(error) ?? UNKNOWN_ERROR;
  return NOTICES.get(query.get('notice') ?? '') ?? null;
}
