import { config } from '@/lib/platform/config/config';

/** Returns the public URL with a token. @param query without the question mark; null without one */
export function urlOfToken(token: string, query: string | null = null): string {
  const { href } = new URL(`/api/v1/ingress/${token}`, config().baseUrl);
  return query === null || query === '' ? href : `${href}?${query}`;
}
