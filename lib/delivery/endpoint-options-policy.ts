import * as z from 'zod';
import { field } from '@/lib/platform/field';
import { REDACTED } from '@/lib/platform/net/credential-names';
import { HOP_BY_HOP_HEADERS } from '@/lib/platform/net/header-pairs';

/** The caller's own id of an endpoint. */
export const Uid = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, colons, dashes and underscores');

const MAX_HEADERS = 20;
const MAX_HEADER_BYTES = 4 * 1024;
/** `expect` ends a request before it is sent, and `x-eds-…` is how the service recognizes its own requests. */
const RESERVED = new Set([
  ...HOP_BY_HOP_HEADERS,
  ...['host', 'content-length', 'content-type', 'user-agent', 'traceparent', 'expect'],
]);
const RESERVED_PREFIXES = ['webhook-', 'svix-', 'x-eds-'];

const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be the name of a header, of at most 100 characters')
  .refine((name) => !isReserved(name.toLowerCase()), 'is set by the service or its connection');

function isReserved(lower: string): boolean {
  return RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** RFC 9110 field-value without obs-text, so that neither CR nor LF can start another header. */
const HeaderValue = z
  .string()
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be ASCII characters without control characters')
  .refine(
    (value) => value !== REDACTED,
    `must not be ${REDACTED}, which stands for a value that the caller may not see`,
  );

/** Headers that every request to an endpoint has, by name. */
export const EndpointHeaders = z
  .record(HeaderName, HeaderValue)
  .refine((given) => Object.keys(given).length <= MAX_HEADERS, `must be at most ${MAX_HEADERS} headers`)
  .refine((given) => bytesOf(given) <= MAX_HEADER_BYTES, 'must have at most 4 KiB of names and values')
  .refine((given) => new Set(lowerNames(given)).size === Object.keys(given).length, 'must name each header once');
export type EndpointHeaders = z.infer<typeof EndpointHeaders>;

const lowerNames = (headers: object) => Object.keys(headers).map((name) => name.toLowerCase());
const bytesOf = (headers: Record<string, string>) =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);

export const BodyFormat = z.enum(['ENVELOPE', 'DATA']);
export type BodyFormat = z.infer<typeof BodyFormat>;

const MAX_TEMPLATE_CHARS = 200;

/** A template of printable characters, with known names in braces only. */
function template(names: readonly string[], needed: string) {
  const known = new RegExp(`\\{(?:${names.join('|')})\\}`, 'g');
  return z
    .string()
    .max(MAX_TEMPLATE_CHARS, `must have at most ${MAX_TEMPLATE_CHARS} characters`)
    .regex(/^[\x20-\x7e\n]*$/, 'must be ASCII characters')
    .refine((text) => text.split(`{${needed}}`).length === 2, `must contain {${needed}} once`)
    .refine((text) => !/[{}]/.test(text.replaceAll(known, '')), `may only contain ${listOf(names)} in braces`);
}

const listOf = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ');

export const StandardSignature = z.strictObject({
  profile: field(z.literal('STANDARD'), 'Nothing beside the headers of Standard Webhooks'),
});
export const SvixSignature = z.strictObject({
  profile: field(z.literal('SVIX'), 'The same signature in `svix-id`, `svix-timestamp` and `svix-signature`'),
});
const Value = template(['signature', 'timestamp'], 'signature').regex(
  /^\S(?:[^\n]*\S)?$/,
  'must be the value of a header',
);
const VALUE = 'The value of the header: `{signature}` once, with `{timestamp}`';
const EXAMPLE_VALUE = 't={timestamp},v1={signature}';

export const CustomSignature = z.strictObject({
  profile: field(z.literal('CUSTOM'), 'A signature of your own'),
  header: field(HeaderName, 'The header that has it', 'X-Acme-Signature'),
  content: field(
    template(['id', 'timestamp', 'body'], 'body'),
    'What is signed: `{body}` once, with `{id}` and `{timestamp}`',
    '{timestamp}.{body}',
  ),
  algorithm: field(z.enum(['SHA256', 'SHA512']), 'The hash of the HMAC', 'SHA256'),
  encoding: field(z.enum(['HEX', 'BASE64']), 'How the signature is written', 'HEX'),
  value: field(Value, VALUE, EXAMPLE_VALUE),
});
export type CustomSignature = z.infer<typeof CustomSignature>;

export const CustomSignatureInput = CustomSignature.extend({
  value: field(Value.default('{signature}'), VALUE, EXAMPLE_VALUE),
});

/** What is sent beside the signature of Standard Webhooks. */
export const EndpointSignature = z.discriminatedUnion('profile', [StandardSignature, SvixSignature, CustomSignature]);
export type EndpointSignature = z.infer<typeof EndpointSignature>;

export const EndpointSignatureInput = z.discriminatedUnion('profile', [
  StandardSignature,
  SvixSignature,
  CustomSignatureInput,
]);

export const STANDARD: EndpointSignature = { profile: 'STANDARD' };

const MAX_REQUESTS = 10_000;
const MAX_SECONDS = 3_600;

export const RateLimit = z.strictObject({
  requests: field(z.int().min(1).max(MAX_REQUESTS), 'How many attempts start at most', 100),
  seconds: field(z.int().min(1).max(MAX_SECONDS), 'In any window of so many seconds', 60),
});
export type RateLimit = z.infer<typeof RateLimit>;

/** Returns what is wrong with headers and a signature together; null for nothing. */
export function signatureFault(signature: EndpointSignature, headers: EndpointHeaders): string | null {
  if (signature.profile !== 'CUSTOM') return null;
  return lowerNames(headers).includes(signature.header.toLowerCase()) ? 'must not be one of headers' : null;
}
