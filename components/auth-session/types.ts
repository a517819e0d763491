import type { SignedIn } from '@/lib/auth/schema';

/** The session of this tab. It is only in memory, so that other pages cannot read it from storage. */
export interface Session extends SignedIn {
  /** When the access token expires, by this machine's clock, in epoch milliseconds. */
  expiresAtMs: number;
}

/** Why the person ended the session in this browser. */
export type SignOutReason = 'signed-out' | 'account-deleted';

/**
 * Why the server refused to refresh: it closed the session on another device, the session expired, or, for `ended`, a tab
 * that had no session yet has no cookie.
 */
export type EndReason = 'closed' | 'expired' | 'ended';

export type SessionState =
  /** Before the response of the first refresh. */
  | { status: 'unknown' }
  | { status: 'signed-in'; session: Session }
  | { status: 'signed-out'; reason: EndReason | SignOutReason }
  /** Another person signed in in this browser; the page is about to reload. */
  | { status: 'replaced' }
  /** The refresh failed; the person may still be signed in. */
  | { status: 'unreachable'; error: unknown };
