import * as z from 'zod';
import { field } from '@/lib/platform/field';
import { REDACTED } from '@/lib/platform/net/credential-names';
import { smallRecord } from '@/lib/platform/small-record';
import {
  ENDPOINT_UID,
  HEADER_NAME,
  HEADER_NAME_RULE,
  HEADER_VALUE,
  HEADER_VALUE_RULE,
  headerBytes,
  isReservedHeader,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
  MAX_RATE_REQUESTS,
  MAX_RATE_SECONDS,
  REDACTED_RULE,
  RESERVED_RULE,
} from './endpoint-fields-policy';

/** The caller's own id of an endpoint. */
export const Uid = z
  .string()
  .regex(ENDPOINT_UID, 'must be 1 to 128 letters, digits, dots, colons, dashes and underscores');

const HeaderName = z
  .string()
  .regex(HEADER_NAME, HEADER_NAME_RULE)
  .refine((name) => !isReservedHeader(name), RESERVED_RULE);

const HeaderValue = z
  .string()
  .regex(HEADER_VALUE, HEADER_VALUE_RULE)
  .refine((value) => value !== REDACTED, REDACTED_RULE);

/** Headers that every request to an endpoint has, by name. */
export const EndpointHeaders = smallRecord(HeaderName, HeaderValue, {
  max: MAX_HEADERS,
  message: `must be at most ${MAX_HEADERS} headers`,
})
  .refine((given) => headerBytes(given) <= MAX_HEADER_BYTES, 'must have at most 4 KiB of names and values')
  .refine((given) => new Set(lowerNames(given)).size === Object.keys(given).length, 'must name each header once');
export type EndpointHeaders = z.infer<typeof EndpointHeaders>;

const lowerNames = (headers: object) => Object.keys(headers).map((name) => name.toLowerCase());

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

export const RateLimit = z.strictObject({
  requests: field(z.int().min(1).max(MAX_RATE_REQUESTS), 'How many attempts start at most', 100),
  seconds: field(z.int().min(1).max(MAX_RATE_SECONDS), 'In any window of so many seconds', 60),
});
export type RateLimit = z.infer<typeof RateLimit>;

/** Returns what is wrong with headers and a signature together; null for nothing. */
export function signatureFault(signature: EndpointSignature, headers: EndpointHeaders): string | null {
  if (signature.profile !== 'CUSTOM') return null;
  return lowerNames(headers).includes(signature.header.toLowerCase()) ? 'must not be one of headers' : null;
}
