import { isCredentialName, REDACTED } from '@/lib/platform/net/credential-names';
import type { ResponseHeaders } from '@/lib/platform/net/exchange';
import { type HeaderPairs, HOP_BY_HOP_HEADERS, isSetByProxies } from '@/lib/platform/net/header-pairs';
import type { RedactCredentials } from '@/lib/platform/net/redact-secrets';
import { toStorable } from '@/lib/platform/text';
import type { Message } from './types';

/** What the headers of a request need besides its message. */
export interface RequestParts {
  userAgent: string;
  /** The credential of a destination, by lower-case name. */
  credential: Readonly<Record<string, string>>;
  /** In seconds since 1970. */
  timestamp: number;
  /** Null if the target has no secret. */
  signature: string | null;
  /** A signature beside it: in the names of Svix, or in a header of its own, by lower-case name. */
  beside: 'SVIX' | { header: string; value: string } | null;
  /** Whether the body is the data of the event alone. */
  sendsData: boolean;
  /** The W3C trace context of the attempt; null without one. */
  traceparent: string | null;
}

/** Returns the headers of a request by lower-case name, in the order in which they are sent. */
export function requestHeaders(message: Message, parts: RequestParts): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': parts.userAgent, ...message.headers, ...parts.credential };
  if (parts.traceparent !== null) headers.traceparent = parts.traceparent;
  // Without a secret of ours, a forward keeps the signature of its provider, which may use the same headers.
  if (parts.signature === null && message.kind === 'incoming event') return headers;
  headers['webhook-id'] = message.id;
  headers['webhook-timestamp'] = String(parts.timestamp);
  if (parts.signature !== null) headers['webhook-signature'] = parts.signature;
  if (parts.beside === 'SVIX') {
    for (const name of ['id', 'timestamp', 'signature']) headers[`svix-${name}`] = headers[`webhook-${name}`] ?? '';
    return headers;
  }
  // A computed name in a literal, as an assignment to `__proto__` adds no member.
  return parts.beside === null ? headers : { ...headers, [parts.beside.header]: parts.beside.value };
}

/** Lines of stored parts that are no headers: no header has such a name. */
const SIGNATURE_LINE = ':signature';
const BODY_LINE = ':body';
const SVIX = 'SVIX';
const DATA = 'DATA';

/**
 * Returns what later cannot be derived from the event, as it is stored: the version that sent it, the name of the header with the
 * credential, the signature, whose secret may be rotated, and the trace context. The event has all else.
 */
export function storedRequestParts(parts: Omit<RequestParts, 'timestamp'>): string {
  const { userAgent, credential, signature, beside, sendsData, traceparent } = parts;
  const lines = [`user-agent: ${userAgent}`];
  for (const name in credential) lines.push(headerLine(name, REDACTED));
  if (signature !== null) lines.push(`webhook-signature: ${signature}`);
  if (beside === 'SVIX') lines.push(`${SIGNATURE_LINE}: ${SVIX}`);
  else if (beside !== null) lines.push(`${SIGNATURE_LINE}: ${headerLine(beside.header, beside.value)}`);
  if (sendsData) lines.push(`${BODY_LINE}: ${DATA}`);
  if (traceparent !== null) lines.push(`traceparent: ${traceparent}`);
  return joinHeaderLines(lines);
}

/** Parses what `storedRequestParts` makes. */
export function parseRequestParts(stored: string): Omit<RequestParts, 'timestamp'> {
  const [[, userAgent = ''] = [], ...others] = parseHeaderLines(stored).headers;
  const {
    'webhook-signature': signature = null,
    traceparent = null,
    [SIGNATURE_LINE]: beside,
    [BODY_LINE]: body,
    ...credential
  } = Object.fromEntries(others);
  return { userAgent, credential, signature, traceparent, beside: besideOf(beside), sendsData: body === DATA };
}

function besideOf(line: string | undefined): RequestParts['beside'] {
  if (line === undefined || line === SVIX) return line ?? null;
  const end = line.indexOf(': ');
  return { header: line.slice(0, end), value: line.slice(end + 2) };
}

const MAX_HEADERS = 64;
/** The most characters of all names and values together. */
const MAX_CHARS = 4 * 1024;

/**
 * Returns the headers of a response as they are stored: without credentials, at most 64, and 4 KiB of names and values. Null without
 * a response.
 *
 * @param redact for the credentials of the request, which a response may repeat
 */
export function keptHeaders(headers: ResponseHeaders | null, redact: RedactCredentials): string | null {
  if (headers === null) return null;
  const lines: string[] = [];
  let chars = 0;
  for (const name in headers) {
    const given = headers[name] ?? '';
    for (const value of typeof given === 'string' ? [given] : given) {
      const line = headerLine(name, isCredentialName(name) ? REDACTED : redact.text(value));
      if (lines.length === MAX_HEADERS) return stored(lines, true);
      if (chars + line.length > MAX_CHARS) return stored([...lines, line.slice(0, MAX_CHARS - chars)], true);
      chars += line.length;
      lines.push(line);
    }
  }
  return stored(lines, false);
}

function stored(lines: readonly string[], isCut: boolean): string {
  const text = joinHeaderLines(lines, isCut);
  // Header values are latin1, so only U+0000 could not be stored.
  return text.includes('\0') ? toStorable(text) : text;
}

/** Headers that our HTTP client sets itself. */
const OF_THE_CLIENT = ['host', 'content-length', 'expect', 'accept-encoding', 'accept', 'range'];
/** What proxies in front of us tell us about the sender. A receiver would believe them about us. */
const OF_PROXIES = [
  ...['via', 'cdn-loop', 'x-request-id'],
  ...['x-original-url', 'x-rewrite-url', 'x-http-method-override', 'x-http-method', 'x-method-override'],
];
const CREDENTIALS = ['authorization', 'cookie'];
const NOT_FORWARDED = new Set([...HOP_BY_HOP_HEADERS, ...OF_THE_CLIENT, ...OF_PROXIES, ...CREDENTIALS]);
const NOT_FORWARDED_PREFIXES = ['cf-', 'x-eds-'];

/**
 * Returns the headers of an incoming event that go to its destinations, by lower-case name. Repeated ones are joined with ", ", which
 * means the same (RFC 9110 section 5.3).
 */
export function forwardedHeaders(pairs: HeaderPairs): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    // A credential that was not stored.
    if (value === REDACTED || !isForwarded(name)) continue;
    const present = headers.get(name);
    headers.set(name, present === undefined ? value : `${present}, ${value}`);
  }
  return Object.fromEntries(headers);
}

/** CGI and what follows it, such as WSGI and PHP, give `x_shop` and `x-shop` the same name. */
function isForwarded(name: string): boolean {
  const canonical = name.replaceAll('_', '-');
  if (NOT_FORWARDED.has(canonical) || isSetByProxies(canonical)) return false;
  return !NOT_FORWARDED_PREFIXES.some((prefix) => canonical.startsWith(prefix));
}

/*
 * Headers as they are stored with an attempt: a line of `name: value` each. Compact, readable in the database, and free of the
 * quotes that both JSON and a parameter of PostgreSQL would escape.
 */

/** The last line if headers are missing. No header has this name. */
const CUT_MARK = '…';

/** Returns the line of a header. Line breaks, which no parser accepts within a header, become spaces. */
function headerLine(name: string, value: string): string {
  const line = `${name}: ${value}`;
  return line.includes('\n') || line.includes('\r') ? line.replace(/[\r\n]+/g, ' ') : line;
}

/** Joins lines. @param isCut whether headers are missing */
function joinHeaderLines(lines: readonly string[], isCut = false): string {
  return (isCut ? [...lines, CUT_MARK] : lines).join('\n');
}

/** Parses stored lines; `isCut` if headers are missing. */
export function parseHeaderLines(text: string): { headers: HeaderPairs; isCut: boolean } {
  const lines = text === '' ? [] : text.split('\n');
  const isCut = lines.at(-1) === CUT_MARK;
  const headers = (isCut ? lines.slice(0, -1) : lines).map((line): [string, string] => {
    const end = line.indexOf(': ');
    return end === -1 ? [line, ''] : [line.slice(0, end), line.slice(end + 2)];
  });
  return { headers, isCut };
}
