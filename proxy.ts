import { type NextRequest, NextResponse } from 'next/server';
import { loginPath } from '@/components/auth-session/return-to';
import { THEME_SCRIPT } from '@/components/theme/theme-script';
import { PRESENCE_COOKIE } from '@/lib/auth/session-cookie-policy';
import { hashSource, pageHeaders } from '@/lib/http/page-headers';

/** A page that Next renders may contain what only this person may see, and its URL a token. */
const NOT_STORED = 'private, no-cache, no-store, max-age=0, must-revalidate';

/** The first folder of every page that needs a session. */
const NEEDS_SESSION = /^\/(?:(?:account|device|orgs|projects|retention)(?:\/.*)?)?$/;

/** The page that Next shows after an error of the layout. Its path would answer 500 to anyone, and an alert counts those. */
const OF_NEXT = /^\/_global-error(?:\/.*)?$/;

/** Redirects a visitor without a session to the sign-in page. Adds the security headers to each page, with a new nonce in its Content-Security-Policy. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const scripts = [`'nonce-${nonce}'`, "'strict-dynamic'", hashSource(THEME_SCRIPT)];
  const sent = { ...pageHeaders(request.headers.get('Host'), scripts), 'Cache-Control': NOT_STORED };
  const headers = new Headers(request.headers);
  // Next takes the nonce for its scripts from the policy of the request.
  headers.set('Content-Security-Policy', sent['Content-Security-Policy']);
  const response = respond(request, headers);
  for (const [name, value] of Object.entries(sent)) response.headers.set(name, value);
  return response;
}

function respond(request: NextRequest, headers: Headers): NextResponse {
  if (needsSignIn(request)) return redirectToSignIn(request);
  if (!OF_NEXT.test(request.nextUrl.pathname)) return NextResponse.next({ request: { headers } });
  return NextResponse.rewrite(new URL('/not-found', request.url), { request: { headers } });
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
  return NextResponse.redirect(new URL(loginPath(`${pathname}${search}`), request.nextUrl), 307);
}

/** Pages only: the API sends its own headers, and built assets are the same for everyone. */
export const config = {
  matcher: [
    '/((?!api/|downloads/|t/|metrics$|portal/embed\\.js$|_next/static/|icon\\.svg$|favicon\\.ico$|robots\\.txt$).*)',
  ],
};
