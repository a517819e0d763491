import { REDACTED } from '@/lib/platform/net/credential-names';
import { HOP_BY_HOP_HEADERS, isSetByProxies } from '@/lib/platform/net/header-pairs';

/** The caller's own id of an endpoint. */
export const ENDPOINT_UID = /^[A-Za-z0-9_.:-]{1,128}$/;

/** Each that is wrong makes an error, and 80,000 took a second of the main thread. An endpoint may be subscribed to more types later. */
export const MAX_NEW_EVENT_TYPES = 1_000;

export const MAX_HEADERS = 20;
export const MAX_HEADER_BYTES = 4 * 1024;

/** `expect` ends a request before it is sent, and `x-eds-…` is how the service recognizes its own requests. */
const RESERVED = new Set([
  ...HOP_BY_HOP_HEADERS,
  ...['host', 'content-length', 'content-type', 'user-agent', 'traceparent', 'expect'],
]);
const RESERVED_PREFIXES = ['webhook-', 'svix-', 'x-eds-'];

export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
export const HEADER_NAME_RULE = 'must be the name of a header, of at most 100 characters';
export const RESERVED_RULE = 'is set by the service, its connection or a proxy';

/** Whether a header is set by the service, its connection or a proxy. @param name in any case */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix)) || isSetByProxies(name);
}

/** RFC 9110 field-value without obs-text, so that neither CR nor LF can start another header. */
export const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
export const HEADER_VALUE_RULE = 'must be ASCII characters without control characters';
export const REDACTED_RULE = `must not be ${REDACTED}, which stands for a value that the caller may not see`;

/** Returns what is wrong with one header of an endpoint; null for nothing. */
export function headerFault(name: string, value: string): string | null {
  if (!HEADER_NAME.test(name) || name === '__proto__') return HEADER_NAME_RULE;
  if (isReservedHeader(name)) return RESERVED_RULE;
  if (!HEADER_VALUE.test(value)) return HEADER_VALUE_RULE;
  return value === REDACTED ? REDACTED_RULE : null;
}

/** Returns the bytes that headers count as. */
export const headerBytes = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);

const STANDARD_SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;

/** Returns the key of a secret of Standard Webhooks; null for another secret. */
export function standardKeyOf(secret: string): Buffer | null {
  const [, text = ''] = STANDARD_SECRET.exec(secret) ?? [];
  const key = Buffer.from(text, 'base64');
  return key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES && key.toString('base64') === text ? key : null;
}

/** Whether trying could find a secret: people choose those that are not of Standard Webhooks. */
export const isGuessableSecret = (secret: string) => standardKeyOf(secret) === null;

/** Returns what is wrong with a secret that a caller gives for a profile of signatures; null for nothing. */
export function endpointSecretFault(secret: string, { profile }: { profile: string }): string | null {
  if (standardKeyOf(secret) !== null) return null;
  if (profile !== 'CUSTOM') return 'must be whsec_ and the base64 of 24 to 64 bytes';
  return /^[\x20-\x7e]{16,256}$/.test(secret)
    ? null
    : 'must be whsec_ and the base64 of 24 to 64 bytes, or 16 to 256 printable ASCII characters';
}

export const MAX_RATE_REQUESTS = 10_000;
export const MAX_RATE_SECONDS = 3_600;
export const MAX_URL_CHARS = 2048;
export const MAX_DESCRIPTION_CHARS = 500;
