import type { Departure } from './types';

const BASE = 'http://same.origin';

/**
 * The path to go to after sign-in: `value` when it is a path of this origin, else `/`.
 *
 * Judged as the browser would resolve it, since `//host`, `/\host` and control characters are other origins in disguise;
 * the pages of signing in are left out, or the way back would lead to where it began.
 */
export function safeReturnTo(value: string | null | undefined): string {
  if (!value?.startsWith('/')) return '/';
  if (!URL.canParse(value, BASE)) return '/';
  const url = new URL(value, BASE);
  if (url.origin !== BASE || url.pathname.startsWith('//')) return '/';
  if (/^\/(login|register)(\/|$)/.test(url.pathname) || url.pathname.startsWith('/api/')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Where to sign in so as to come back to `path` (with its query). */
export function loginPath(path: string, page: '/login' | '/register' = '/login'): string {
  const returnTo = safeReturnTo(path);
  return returnTo === '/' ? page : `${page}?${new URLSearchParams({ returnTo })}`;
}

/** Where one goes who has no session any more: one who chose to leave starts anew, one whose session ended comes back. */
export function leavePath(reason: 'ended' | Departure, place: string, keepsPlace: boolean): string {
  if (reason === 'account-deleted') return '/login?notice=account-deleted';
  return loginPath(reason === 'ended' || keepsPlace ? place : '/');
}
