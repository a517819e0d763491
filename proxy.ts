import { type NextRequest, NextResponse } from 'next/server';
import { loginPath } from '@/components/auth-session/return-to';
import { PRESENCE_COOKIE } from '@/lib/auth/session-cookie-policy';
import { config as deployment } from '@/lib/platform/config/config';

const PERMISSIONS = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'serial', 'browsing-topics']
  .map((feature) => `${feature}=()`)
  .join(', ');

const PAGE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Links in mails carry tokens in their query. No other site, and no log of this service, may get them.
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': PERMISSIONS,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'private, no-cache, no-store, max-age=0, must-revalidate',
};

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/** The first folder of every page that needs a session. */
const NEEDS_SESSION = /^\/(?:(?:account|device|orgs|projects|retention)(?:\/.*)?)?$/;

/** Redirects a visitor without a session to the sign-in page. Adds the security headers to each page, with a new nonce in its Content-Security-Policy. */
export function proxy(request: NextRequest): NextResponse {
  if (needsSignIn(request)) return redirectToSignIn(request);
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  // Next takes the nonce for its scripts from the policy of the request.
  headers.set('Content-Security-Policy', policy);
  headers.set('X-Nonce', nonce);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  return withPageHeaders(request, response);
}

/**
 * Whether a visitor opens a page that needs a session, and their browser has none. Only documents are redirected: a page
 * that is open has the session in memory.
 */
function needsSignIn(request: NextRequest): boolean {
  const isDocument = request.headers.get('Accept')?.includes('text/html') ?? false;
  return isDocument && NEEDS_SESSION.test(request.nextUrl.pathname) && !request.cookies.has(PRESENCE_COOKIE);
}

function redirectToSignIn(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl;
  return withPageHeaders(
    request,
    NextResponse.redirect(new URL(loginPath(`${pathname}${search}`), request.nextUrl), 307),
  );
}

function withPageHeaders({ headers }: NextRequest, response: NextResponse): NextResponse {
  const isHttps = deployment().baseUrl.startsWith('https:');
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.headers.set(name, value);
  if (isHttps) response.headers.set('Strict-Transport-Security', 'max-age=31536000');
  // On plain http, browsers ignore it everywhere but on this machine, and log an error.
  if (isHttps || LOOPBACK_HOST.test(headers.get('Host') ?? '')) {
    response.headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  }
  return response;
}

/** Inline styles are allowed, inline scripts are not: sonner, cmdk and radix write styles without a nonce. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Pages only: the API sends its own headers, and built assets are the same for everyone. */
export const config = {
  matcher: ['/((?!api/|downloads/|t/|metrics$|_next/static/|_next/image$|icon\\.svg$|favicon\\.ico$|robots\\.txt$).*)'],
};
