import { config } from '@/lib/platform/config/config';
import { sha256 } from '@/lib/platform/crypto';

const PERMISSIONS = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'serial', 'browsing-topics']
  .map((feature) => `${feature}=()`)
  .join(', ');

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/**
 * Returns the security headers of every page.
 *
 * @param host the Host of the request
 * @param scripts the sources of its scripts, besides files of this origin
 * @param framedBy the origins whose pages may frame it
 */
export function pageHeaders(
  host: string | null | undefined,
  scripts: readonly string[],
  framedBy: readonly string[] = [],
) {
  const isHttps = config().baseUrl.startsWith('https:');
  return {
    'Content-Security-Policy': contentSecurityPolicy(scripts, framedBy),
    'X-Content-Type-Options': 'nosniff',
    // It cannot name an origin.
    ...(framedBy.length === 0 ? { 'X-Frame-Options': 'DENY' } : {}),
    // Links in mails carry tokens in their query. No other site, and no log of this service, may get them.
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': PERMISSIONS,
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(isHttps ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
    // On plain http, browsers ignore it everywhere but on this machine, and log an error.
    ...(isHttps || LOOPBACK_HOST.test(host ?? '') ? { 'Cross-Origin-Opener-Policy': 'same-origin' } : {}),
  };
}

/** Returns the source that allows an inline script with exactly this text. */
export function hashSource(script: string): string {
  return `'sha256-${sha256(script).toString('base64')}'`;
}

/** Inline styles are allowed, inline scripts are not: sonner, cmdk and radix write styles without a nonce. */
function contentSecurityPolicy(scripts: readonly string[], framedBy: readonly string[]): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-src 'none'",
    `frame-ancestors ${framedBy.join(' ') || "'none'"}`,
  ].join('; ');
}
