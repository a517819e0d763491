import { safeReturnTo } from '@/components/auth-session/return-to';

/** Returns the path that starts the sign-in at a provider and then returns to `returnTo`. */
export function providerPath(id: string, returnTo: string): string {
  const start = `/api/v1/auth/oauth/${encodeURIComponent(id)}`;
  const path = safeReturnTo(returnTo);
  return path === '/' ? start : `${start}?${new URLSearchParams({ returnTo: path })}`;
}
