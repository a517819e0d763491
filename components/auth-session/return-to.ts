import { safeReturnPath } from '@/lib/auth/return-path-policy';
import type { SignOutReason } from './types';

/** Returns the path to open after sign-in. Replaces auth pages by /, since they would redirect forever. */
export function safeReturnTo(value: string | null | undefined): string {
  const path = safeReturnPath(value);
  return /^\/(login|register)([/?#]|$)/.test(path) ? '/' : path;
}

/** Returns the sign-in path that returns to `path` (with its query). */
export function loginPath(path: string, page: '/login' | '/register' = '/login'): string {
  const returnTo = safeReturnTo(path);
  return returnTo === '/' ? page : `${page}?${new URLSearchParams({ returnTo })}`;
}

/** Returns where to go without a session. Only an ended session, or `returnsHere`, returns to `path`. */
export function signedOutPath(reason: 'ended' | SignOutReason, path: string, returnsHere: boolean): string {
  if (reason === 'account-deleted') return '/login?notice=account-deleted';
  return loginPath(reason === 'ended' || returnsHere ? path : '/');
}
