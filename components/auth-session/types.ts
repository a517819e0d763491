import type { SignedIn } from '@/lib/auth/schema';

/** A session as this tab holds it: in memory only, so that no other script of another page can read it from storage. */
export interface Session extends SignedIn {
  /** When the access token ends, by this machine's clock, in epoch milliseconds. */
  expiresAtMs: number;
}

/** Why this browser gave up a session by itself: a sign-out, or because the account is gone. */
export type SignOutReason = 'signed-out' | 'account-deleted';

export type SessionState =
  /** Before the first refresh has been answered. */
  | { status: 'unknown' }
  | { status: 'signed-in'; session: Session }
  /** `reason` tells an ended session apart from one that was left. */
  | { status: 'signed-out'; reason: 'ended' | SignOutReason }
  /** Another person signed in in this browser: this page is about to be loaded anew. */
  | { status: 'replaced' }
  /** The server could not say; the person may well be signed in. */
  | { status: 'unreachable'; error: unknown };
