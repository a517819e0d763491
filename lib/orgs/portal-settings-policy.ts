import { isLoopbackHost } from '@/lib/platform/config/variable-types';
import { httpUrlFault, parseUrl } from '@/lib/platform/net/parse-url';

/** The origins that may frame a project's portal. All are in one header of the page. */
export const MAX_ALLOWED_ORIGINS = 20;

/** What a host may consist of in a Content-Security-Policy: one with `*` would match others, and one of IPv6 matches nothing. */
const HOST = /^[a-z0-9._-]+$/;

/** Returns why a text cannot be an origin that frames the portal; null if it can. */
export function allowedOriginFault(value: string): string | null {
  const url = parseUrl(value);
  if (url === null || url.origin !== value) return 'must be an origin such as https://app.example.com, without a path';
  if (!HOST.test(url.hostname)) return 'must name one host, without * and not by an IPv6 address';
  return httpsFault(url);
}

/** Returns why a text cannot be the URL of a logo; null if it can. */
export function logoUrlFault(value: string): string | null {
  return httpUrlFault(value) ?? httpsFault(new URL(value));
}

/** A page and a logo on this machine have no certificate. Whether a logo may be fetched from there is decided when it is. */
function httpsFault({ protocol, hostname }: URL): string | null {
  if (protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))) return null;
  return 'must start with https://';
}

/** Returns the path below which this service serves a logo, by the hash of its content; null without one. */
export function portalLogoPath(hash: string | null): string | null {
  return hash === null ? null : `/api/v1/portal/logos/${hash}`;
}
