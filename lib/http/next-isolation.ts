import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPrivateHeader, PRIVATE_CONTENT_BYTES, PRIVATE_CONTENT_ENCODING } from './private-headers';
import { isRouterState } from './router-state';
import { noteContentBytes } from './turns';

/** Request headers with which Next's client requests parts of a page. */
const PAGE_HEADER = /^(?:rsc|next-.*|x-nextjs-.*|x-middleware-.*)$/;
const ROUTER_STATE = 'next-router-state-tree';

/** What sessions store of it. Next searches it for names of robots, which takes quadratic time. */
const MAX_USER_AGENT_CHARS = 512;

/** The cookies of a session, and those of sign-ins with a provider. */
const OWN_COOKIE = /^\s*(?:refresh_token|eds_session|(?:__Host-)?eds_idp_[\w.-]+)=/;
/** A browser has 14 at most, of 6 KB. */
const MAX_OWN_COOKIES = 32;
const MAX_COOKIE_CHARS = 8_192;

/** The request headers that pages need, with the longest value that a browser sends. */
const MAX_PAGE_HEADER_CHARS: Readonly<Record<string, number>> = {
  accept: 1_024,
  'accept-encoding': 256,
  connection: 64,
  cookie: MAX_COOKIE_CHARS,
  host: 1_024,
  'if-modified-since': 64,
  'if-none-match': 1_024,
  'next-router-prefetch': 16,
  'next-router-segment-prefetch': 1_024,
  [ROUTER_STATE]: 8_192,
  'next-url': 2_048,
  rsc: 16,
  'sec-fetch-dest': 64,
  'sec-fetch-mode': 64,
  'sec-fetch-site': 64,
  'user-agent': MAX_USER_AGENT_CHARS,
};
/** The longest path of the dashboard has eight levels. Next checks a state in quadratic time. */
const MAX_ROUTER_STATE_LEVELS = 32;

/**
 * Drops headers that make Next treat a path of the API as a page, and cuts the User-Agent. Next would redirect a request with `RSC: 1` to a
 * URL with `?_rsc`. It would also compress every response by Accept-Encoding, even one with a secret: the dispatcher decides that,
 * and gets the header under a private name.
 */
export function dropPageHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (PAGE_HEADER.test(name)) delete headers[name];
  delete headers['accept-encoding'];
  cutUserAgent(headers);
  keepOwnCookies(headers);
}

/**
 * Drops what Next need not read of a request for a page: a stranger chooses it, and Next takes seconds for some. Also drops a router state
 * that Next cannot parse, since it would answer 500.
 */
export function keepPageHeaders({ headers }: IncomingMessage): void {
  cutUserAgent(headers);
  keepOwnCookies(headers);
  for (const [name, value = ''] of Object.entries(headers)) {
    if (isPrivateHeader(name)) continue;
    if (value.length > (MAX_PAGE_HEADER_CHARS[name] ?? -1)) delete headers[name];
  }
  const state = headers[ROUTER_STATE];
  if (state === undefined) return;
  const isUsed = headers.rsc !== undefined && !Array.isArray(state) && levelsOf(state) <= MAX_ROUTER_STATE_LEVELS;
  if (!isUsed || !isRouterState(state)) delete headers[ROUTER_STATE];
}

/** Drops the cookies of others: Next parses all in quadratic time, 30 KB in up to 100 ms. */
function keepOwnCookies(headers: IncomingMessage['headers']): void {
  const own = headers.cookie?.split(';').filter((pair) => OWN_COOKIE.test(pair)) ?? [];
  const kept = own.length <= MAX_OWN_COOKIES ? own.join(';').trim() : '';
  if (kept !== '' && kept.length <= MAX_COOKIE_CHARS) headers.cookie = kept;
  else delete headers.cookie;
}

function levelsOf(state: string): number {
  return state.split(/\{|%7B/i).length - 1;
}

function cutUserAgent(headers: IncomingMessage['headers']): void {
  const userAgent = headers['user-agent'];
  if (userAgent !== undefined) headers['user-agent'] = userAgent.slice(0, MAX_USER_AGENT_CHARS);
}

/**
 * Keeps the headers of an API response as the dispatcher set them: removes Next's `Vary: rsc, next-router-state-tree …`,
 * and restores the Content-Encoding, which Next would drop. Notes the size of the content.
 */
export function restoreApiHeaders(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  const appendHeader = response.appendHeader.bind(response);
  const keep = <Value extends number | string | readonly string[]>(name: string, value: Value) => {
    if (name.toLowerCase() !== PRIVATE_CONTENT_BYTES) return withoutPageHeaders(name, value);
    noteContentBytes(response, Number(value));
    return null;
  };
  response.setHeader = (name, value) => {
    const kept = keep(name, value);
    return kept === null ? response : setHeader(publicName(name), kept);
  };
  response.appendHeader = (name, value) => {
    const kept = keep(name, value);
    return kept === null ? response : appendHeader(publicName(name), kept);
  };
}

function publicName(name: string): string {
  return name.toLowerCase() === PRIVATE_CONTENT_ENCODING ? 'Content-Encoding' : name;
}

/** Null when nothing is left. */
function withoutPageHeaders<Value extends number | string | readonly string[]>(name: string, value: Value) {
  if (name.toLowerCase() !== 'vary') return value;
  const names = String(value)
    .split(',')
    .map((each) => each.trim());
  const kept = names.filter((each) => each !== '' && !PAGE_HEADER.test(each.toLowerCase()));
  return kept.length === 0 ? null : kept.join(', ');
}
