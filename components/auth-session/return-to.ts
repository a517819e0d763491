import { safeReturnPath } from '@/lib/auth/return-path-policy';
import type { EndReason, SignOutReason } from './session-store';

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

const NOTICES = {
  'account-deleted': 'account-deleted',
  closed: 'closed-elsewhere',
  expired: 'session-expired',
  elsewhere: 'signed-out-elsewhere',
} as const;

/** Returns where to go without a session. A sign-out in this tab returns to `path` only with `returnsHere`. */
export function signedOutPath(reason: EndReason | SignOutReason, path: string, returnsHere: boolean): string {
  const isLeft = reason === 'account-deleted' || (reason === 'signed-out' && !returnsHere);
  const login = loginPath(isLeft ? '/' : path);
  const notice = reason in NOTICES ? NOTICES[reason as keyof typeof NOTICES] : null;
  return notice === null ? login : `${login}${login.includes('?') ? '&' : '?'}notice=${notice}`;
}
