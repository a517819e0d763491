import { getDomain } from 'tldts';
import type { Config } from '@/lib/platform/config/config';
import { isLoopbackHost } from '@/lib/platform/config/variable-types';

/**
 * Returns a warning for a deployment whose tunnels share the site of its dashboard; null for a local one, and for one whose
 * tunnels have another site.
 */
export function tunnelOriginWarning({ baseUrl, TUNNEL_BASE_URL }: Pick<Config, 'baseUrl' | 'TUNNEL_BASE_URL'>) {
  const dashboard = new URL(baseUrl).hostname;
  if (isLoopbackHost(dashboard)) return null;
  if (TUNNEL_BASE_URL === undefined) {
    return (
      'TUNNEL_BASE_URL is unset: browsers save what a tunnel returns instead of showing it. ' +
      'To show pages, set it to a URL on another site, such as https://tunnels.example.net.'
    );
  }
  const site = siteOf(dashboard);
  if (siteOf(new URL(TUNNEL_BASE_URL).hostname) !== site) return null;
  return (
    `TUNNEL_BASE_URL and APP_BASE_URL are both on ${site}: a page of a tunnel can set cookies that the dashboard gets. ` +
    'Use another domain for tunnels.'
  );
}

/** Cookies are shared up to the registrable domain. A name without one, such as an address, is a site of its own. */
const siteOf = (hostname: string) => getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
