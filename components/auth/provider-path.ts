import { safeReturnTo } from '@/components/auth-session/return-to';

/** Where the way through a provider starts, so as to come back to `returnTo`. */
export function providerPath(id: string, returnTo: string): string {
  const start = `/api/v1/auth/oauth/${encodeURIComponent(id)}`;
  const path = safeReturnTo(returnTo);
  return path === '/' ? start : `${start}?${new URLSearchParams({ returnTo: path })}`;
}
