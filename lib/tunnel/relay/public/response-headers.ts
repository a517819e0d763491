import { sha256 } from '@/lib/platform/crypto';
import { type HeaderPairs, withoutHopByHopHeaders } from '@/lib/platform/net/header-pairs';

interface ResponseHeaderRules {
  status: number;
  /** `/t/` and the token. */
  prefix: string;
  /** Whether tunnels have their own origin, which serves nothing else. */
  isOwnOrigin: boolean;
  /** Whether a browser may show a response as a page. On an origin of its own it always may. */
  mayRender: boolean;
  /** Whether the local server may ask for a password: not at a URL whose folder is that of all tunnels. */
  mayAsk?: boolean;
  /** Whether only some visitors may reach the tunnel: those with its password, or with certain addresses. */
  isProtected?: boolean;
}

/** Scripts, forms and downloads work; the origin is opaque, so nothing of the dashboard can be read or stored. */
const SANDBOX = 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts';
/** For a browser that shows a response although it is an attachment. */
const NOTHING_RUNS = "default-src 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
/** Neither the name nor the type of a file that a stranger chose. */
const AS_FILE = 'attachment; filename="response.txt"';
/** The dashboard's policy allows scripts and style sheets of its origin. */
const SCRIPT_OR_STYLE = /(?:java|ecma|j|live)script|css/i;

/** Headers that affect the entire origin, which tunnels share even when they have their own. */
const OF_THE_ORIGIN = new Set([
  'service-worker-allowed',
  'clear-site-data',
  'strict-transport-security',
  'alt-svc',
  'nel',
  'accept-ch-lifetime',
  'public-key-pins',
  'public-key-pins-report-only',
  'shared-storage-write',
  'observe-browsing-topics',
  'attribution-reporting-register-source',
  'attribution-reporting-register-trigger',
  'sec-private-state-token',
  'report-to',
  'reporting-endpoints',
  'accept-ch',
  'critical-ch',
  'set-login',
  'origin-trial',
  'expect-ct',
  'origin-agent-cluster',
  'speculation-rules',
  'activate-storage-access',
  'use-as-dictionary',
  // Device-bound sessions, which a browser refreshes before its other requests to the origin.
  'secure-session-registration',
  'secure-session-challenge',
  'sec-session-registration',
  'sec-session-challenge',
]);
/** Headers that a proxy in front may obey: it would serve one of its own files, or another path, instead. */
const FOR_PROXIES = new Set([
  'x-accel-redirect',
  'x-sendfile',
  'x-lighttpd-send-file',
  'x-lighttpd-send-tempfile',
  'x-litespeed-location',
  'x-reproxy-url',
]);
/** Headers that would speak for the dashboard: cookies, password prompts, permission to read with credentials. */
const OF_THE_DASHBOARD = new Set([
  'set-cookie',
  'set-cookie2',
  'www-authenticate',
  'access-control-allow-credentials',
  'x-content-type-options',
  'cross-origin-resource-policy',
]);
/** What a cache that visitors share would obey. */
const OF_CACHES = new Set(['cache-control', 'expires', 'surrogate-control', 'edge-control', 'x-accel-expires']);
/** An attribute of a cookie. Splitting a cookie of 32 KiB into its attributes would take ten milliseconds. */
const PATH_OR_DOMAIN = /;\s*(?:path|domain)\s*(?:=[^;]*)?(?=;|$)/gi;
/** Headers by which a response chooses what a browser does with it. */
const OF_PAGES = new Set(['content-disposition', 'refresh', 'link']);

/**
 * Returns the headers of a response as visitors get them. On the dashboard's origin a browser saves it instead of showing it: a
 * page could put the path of our sign-in into the address bar, even in a sandbox. Other clients ignore that, and get the same
 * status, type and bytes. Of a protected tunnel, no cache that visitors share keeps a response: the local server does not see the password,
 * and cannot know that there is one. On the origin of a local dashboard it is shown in a sandbox. It keeps its own policy, because a second
 * one can only forbid more (docs/decisions/036-tunnels.md).
 */
export function toPublicHeaders(headers: HeaderPairs, rules: ResponseHeaderRules): HeaderPairs {
  const { isOwnOrigin, mayRender, mayAsk = true, isProtected = false, status } = rules;
  const kept = withoutHopByHopHeaders(headers).flatMap(([name, value]): HeaderPairs => {
    const lower = name.toLowerCase();
    if (OF_THE_ORIGIN.has(lower) || FOR_PROXIES.has(lower) || (!isOwnOrigin && OF_THE_DASHBOARD.has(lower))) return [];
    if (!mayRender && OF_PAGES.has(lower)) return [];
    if (isProtected && isOfCaches(lower)) return [];
    if (lower === 'www-authenticate' && !(mayAsk && mayPassChallenge(value))) return [];
    // A reader might wait for a body that never has this status (RFC 9110 section 8.6).
    if (lower === 'content-length' && status === 204) return [];
    return [[name, toPublicValue(lower, value, rules)]];
  });
  if (isProtected) kept.push(['Cache-Control', mayBeStored(headers) ? 'private, no-cache' : 'no-store']);
  if (isOwnOrigin) return kept;
  kept.push(['Content-Security-Policy', mayRender ? SANDBOX : NOTHING_RUNS], ['X-Content-Type-Options', 'nosniff']);
  if (!mayRender) kept.push(['Content-Disposition', AS_FILE]);
  // A sandboxed page has an opaque origin, and must still be able to load its own images.
  kept.push(['Cross-Origin-Resource-Policy', 'cross-origin']);
  return kept;
}

/** @param name in lower case */
const isOfCaches = (name: string) => OF_CACHES.has(name) || name.endsWith('cdn-cache-control');

/** Whether the local server lets the browser of a visitor keep a response. */
function mayBeStored(headers: HeaderPairs): boolean {
  return !headers.some(([name, value]) => name.toLowerCase() === 'cache-control' && /no-store/i.test(value));
}

function toPublicValue(name: string, value: string, { isOwnOrigin, mayRender, prefix }: ResponseHeaderRules): string {
  switch (name) {
    case 'set-cookie':
      return confineCookie(value, prefix);
    case 'location':
    case 'content-location':
      return toPublicPath(value, prefix);
    case 'www-authenticate':
      return asksForBasic(value) ? basicChallenge(prefix) : value;
    case 'content-type':
      if (!mayRender && SCRIPT_OR_STYLE.test(value)) return 'text/plain';
      // Firefox obeys Set-Cookie and Content-Security-Policy of each part.
      return !isOwnOrigin && /multipart\//i.test(value) ? 'application/octet-stream' : value;
    default:
      return value;
  }
}

/** A path of the local server is below the token for the public. */
function toPublicPath(location: string, prefix: string): string {
  return location.startsWith('/') && !/^\/[/\\]/.test(location) ? `${prefix}${location}` : location;
}

/** Browsers ignore a longer attribute (RFC 6265bis section 5.6), and then take the path of the request. */
const MAX_COOKIE_PATH = 1024;

/** Confines a cookie to the paths of the tunnel, and to this host. */
function confineCookie(cookie: string, prefix: string): string {
  const path = prefix + (/;\s*path\s*=\s*(\/[^;]*)/i.exec(cookie)?.[1]?.trim() ?? '/');
  return `${cookie.replace(PATH_OR_DOMAIN, '')}; Path=${path.length <= MAX_COOKIE_PATH ? path : `${prefix}/`}`;
}

/**
 * Returns the challenge for a name and a password of a tunnel. All tunnels share an origin, and a browser answers a realm that
 * it knows by itself: with a common one, a tunnel would be sent the passwords of the others.
 * @param prefix `/t/` and the token
 */
export function basicChallenge(prefix: string): string {
  return `Basic realm="tunnel ${sha256(prefix).toString('hex').slice(0, 16)}", charset="UTF-8"`;
}

/** Whether a value of WWW-Authenticate asks for basic authentication, alone or among others. */
function asksForBasic(challenge: string): boolean {
  return /(?:^|[\s,])basic(?:[\s,]|$)/i.test(challenge);
}

/**
 * Whether a challenge gets no answer from a browser that knows a password of another tunnel: a realm of Digest is part of the response, so
 * it cannot be replaced, and the others have none.
 */
function mayPassChallenge(challenge: string): boolean {
  return asksForBasic(challenge) || !/(?:^|[\s,])(?:digest|ntlm|negotiate)(?:[\s,]|$)/i.test(challenge);
}
