import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignatureScheme = 'GENERIC_HMAC' | 'STANDARD_WEBHOOKS' | 'STRIPE' | 'GITHUB' | 'SHOPIFY' | 'SLACK';

export type DigestEncoding = 'hex' | 'base64';

/** Where a request has its signature. */
export interface SignatureForm {
  provider: SignatureScheme;
  /** The header that holds the signature. Only GENERIC_HMAC uses this and the next two fields. */
  header: string;
  encoding: DigestEncoding;
  /** Text before the signature in the header, such as `sha256=`; empty for none. */
  prefix: string;
}

/** What a request presents. */
interface Presented {
  /** The signatures, not decoded, without what the scheme puts before them. Empty when something is missing. */
  signatures: string[];
  /** The signed time in seconds since 1970, as text; null if the scheme signs none. */
  seconds: string | null;
  /** What is signed before the body. */
  start: string;
}

/** Returns a header by its lower-case name. */
type HeaderReader = (name: string) => string | null;

interface Scheme {
  /** The headers that it needs; the signature is in the last. */
  headers(form: SignatureForm): string[];
  encoding(form: SignatureForm): DigestEncoding;
  /** What comes before a signature in its header; empty for nothing. */
  mark(form: SignatureForm): string;
  read(header: HeaderReader, form: SignatureForm): Presented;
  key(secret: string): string | Buffer;
}

const PREFIX = 'whsec_';

/** Decodes the signing key of a secret of Standard Webhooks: the base64 after its prefix. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
}

const plainKey = (secret: string) => secret;
const always =
  <T>(value: T) =>
  () =>
    value;

/** How each provider signs. All use HMAC-SHA-256. */
export const SCHEMES: Record<SignatureScheme, Scheme> = {
  /** Over the body, in a header of the user's choice. */
  GENERIC_HMAC: {
    headers: ({ header }) => [header.toLowerCase()],
    encoding: ({ encoding }) => encoding,
    mark: ({ prefix }) => prefix,
    read: (header, form) => {
      const value = header(form.header.toLowerCase());
      const isMarked = value?.startsWith(form.prefix) === true;
      return { signatures: isMarked ? [value.slice(form.prefix.length)] : [], seconds: null, start: '' };
    },
    key: plainKey,
  },

  /** Standard Webhooks 1.0: `v1,<base64>`, several separated by spaces, over `id.timestamp.body`. */
  STANDARD_WEBHOOKS: {
    headers: always(['webhook-id', 'webhook-timestamp', 'webhook-signature']),
    encoding: always('base64'),
    mark: always('v1,'),
    read: (header) => {
      const [id, seconds, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header);
      const parts = id && seconds && signatures ? signatures.split(' ') : [];
      return {
        signatures: parts.flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : [])),
        seconds: seconds ?? '',
        start: `${id}.${seconds}.`,
      };
    },
    key: signingKey,
  },

  /** https://docs.stripe.com/webhooks/signature: `t=<seconds>,v1=<hex>`, several v1 during a rotation, over `t.body`. */
  STRIPE: {
    headers: always(['stripe-signature']),
    encoding: always('hex'),
    mark: always('v1='),
    read: (header) => {
      const parts = (header('stripe-signature') ?? '').split(',').map((part) => part.trim());
      const seconds = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
      const signatures = parts.flatMap((part) => (part.startsWith('v1=') ? [part.slice(3)] : []));
      return { signatures, seconds, start: `${seconds}.` };
    },
    key: plainKey,
  },

  /** https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries: `sha256=<hex>` over the body. */
  GITHUB: {
    headers: always(['x-hub-signature-256']),
    encoding: always('hex'),
    mark: always('sha256='),
    read: (header) => {
      const value = header('x-hub-signature-256') ?? '';
      return { signatures: value.startsWith('sha256=') ? [value.slice(7)] : [], seconds: null, start: '' };
    },
    key: plainKey,
  },

  /** https://shopify.dev/docs/apps/build/webhooks/subscribe/https: base64 over the body. */
  SHOPIFY: {
    headers: always(['x-shopify-hmac-sha256']),
    encoding: always('base64'),
    mark: always(''),
    read: (header) => {
      const value = header('x-shopify-hmac-sha256');
      return { signatures: value === null ? [] : [value], seconds: null, start: '' };
    },
    key: plainKey,
  },

  /** https://docs.slack.dev/authentication/verifying-requests-from-slack: `v0=<hex>` over `v0:timestamp:body`. */
  SLACK: {
    headers: always(['x-slack-request-timestamp', 'x-slack-signature']),
    encoding: always('hex'),
    mark: always('v0='),
    read: (header) => {
      const seconds = header('x-slack-request-timestamp') ?? '';
      const value = header('x-slack-signature') ?? '';
      return { signatures: value.startsWith('v0=') ? [value.slice(3)] : [], seconds, start: `v0:${seconds}:` };
    },
    key: plainKey,
  },
};

/** A sender gives few signatures, one for each of its secrets; a stranger may send many. */
export const MAX_SIGNATURES = 10;

/** Returns the HMAC-SHA-256 of the concatenated parts. */
export function hmacSha256(key: string | Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** Whether two signatures are equal, in time that does not depend on their content. */
export function isSameDigest(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Decodes a signature exactly as its scheme writes it; an empty buffer for anything else. */
export function decodeDigest(text: string, encoding: DigestEncoding): Buffer {
  const form = encoding === 'hex' ? /^[0-9a-f]{64}$/i : /^[A-Za-z0-9+/]{43}=$/;
  return form.test(text) ? Buffer.from(text, encoding) : Buffer.alloc(0);
}

/** A signed time may differ from ours by five minutes, either way (docs/specification.md#incoming-events). */
export const TOLERANCE_SECONDS = 5 * 60;

/** Parses a signed time, in whole seconds since 1970; null when it is malformed. */
export function parseSeconds(seconds: string): number | null {
  return /^\d{1,12}$/.test(seconds) ? Number(seconds) : null;
}
