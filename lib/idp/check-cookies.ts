import { config } from '@/lib/platform/config/config';

/** What a browser holds while its person is at the provider: the checks, sealed by next-auth, and where to go afterwards. */
const CHECKS = ['state', 'pkceCodeVerifier', 'nonce'] as const;
const RETURN_TO = 'return_to';

/** Time to sign in at the provider, in seconds. */
const ROUND_TRIP_SECONDS = 10 * 60;

function isSecure(): boolean {
  return config().baseUrl.startsWith('https:');
}

/** With the prefix no other host of the domain can plant its own, and so have its sign-in end in somebody else's browser. */
function cookieName(what: string): string {
  return `${isSecure() ? '__Host-' : ''}eds_idp_${what.toLowerCase()}`;
}

/** The names by which a browser carries the cookies of a round trip. */
export function checkCookieNames(): string[] {
  return CHECKS.map(cookieName);
}

export function returnCookieName(): string {
  return cookieName(RETURN_TO);
}

/** The cookies of the checks, as next-auth is to make them. */
export function checkCookieOptions() {
  const options = {
    httpOnly: true,
    sameSite: 'lax' as const,
    path: '/',
    secure: isSecure(),
    maxAge: ROUND_TRIP_SECONDS,
  };
  return Object.fromEntries(CHECKS.map((check) => [check, { name: cookieName(check), options }]));
}

/** The Set-Cookie value that keeps the path to land on. Not sealed: it is judged anew when it comes back. */
export function returnCookie(path: string): string {
  return serialize(returnCookieName(), encodeURIComponent(path), ROUND_TRIP_SECONDS);
}

/** The Set-Cookie values that end a round trip, however it went: no check is used twice. */
export function clearedCookies(): string[] {
  return [...checkCookieNames(), returnCookieName()].map((name) => serialize(name, '', 0));
}

function serialize(name: string, value: string, maxAgeSeconds: number): string {
  const secure = isSecure() ? '; Secure' : '';
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`;
}
