import { safeReturnPath } from '@/lib/auth/return-path-policy';
import type { SignOutReason } from './types';

/** The path to go to after sign-in. The pages of signing in are left out, or the way back would lead to where it began. */
export function safeReturnTo(value: string | null | undefined): string {
  const path = safeReturnPath(value);
  return /^\/(login|register)([/?#]|$)/.test(path) ? '/' : path;
}

/** Where to sign in so as to come back to `path` (with its query). */
export function loginPath(path: string, page: '/login' | '/register' = '/login'): string {
  const returnTo = safeReturnTo(path);
  return returnTo === '/' ? page : `${page}?${new URLSearchParams({ returnTo })}`;
}

/** Where one goes who has no session any more: one who chose to leave starts anew, one whose session ended comes back. */
export function signedOutPath(reason: 'ended' | SignOutReason, place: string, returnsHere: boolean): string {
  if (reason === 'account-deleted') return '/login?notice=account-deleted';
  return loginPath(reason === 'ended' || returnsHere ? place : '/');
}
