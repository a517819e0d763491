import { createHmac, timingSafeEqual } from 'node:crypto';
import { signingKey } from '@/lib/delivery/credentials';
import { SECOND_MS } from '@/lib/platform/clock';

/** What a provider signed and presented. */
interface Evidence {
  presented: Buffer[];
  /** The signature that a secret would make. */
  expected(secret: string): Buffer;
}

type Reader = (request: ReceivedRequest, rule: SignatureRule, now: Date) => Evidence | null;

/**
 * Whether a request carries the signature of its provider, made with one of the valid secrets. If the provider signs a
 * timestamp, it must be within five minutes of our clock.
 */
export function verifySignature(rule: SignatureRule, request: ReceivedRequest, now: Date): boolean {
  const evidence = READERS[rule.provider](request, rule, now);
  return evidence !== null && matchesAny(evidence.presented, rule.secrets.map(evidence.expected));
}

const READERS: Record<SignedProvider, Reader> = {
  /** HMAC-SHA-256 of the body in a header of the user's choice. */
  GENERIC_HMAC: ({ header, body }, rule) => {
    const value = header(rule.header.toLowerCase());
    if (value === null || !value.startsWith(rule.prefix)) return null;
    const decode = rule.encoding === 'hex' ? decodeHex : decodeBase64;
    return { presented: [decode(value.slice(rule.prefix.length))], expected: (secret) => hmacSha256(secret, body) };
  },

  /** Standard Webhooks 1.0: `v1,<base64>`, several separated by spaces, over `id.timestamp.body`. */
  STANDARD_WEBHOOKS: ({ header, body }, _rule, now) => {
    const [id, seconds, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header);
    if (!id || !seconds || !signatures || !isRecent(seconds, now)) return null;
    const presented = signatures
      .split(' ')
      .flatMap((part) => (part.startsWith('v1,') ? decodeBase64(part.slice(3)) : []));
    return { presented, expected: (secret) => hmacSha256(signingKey(secret), `${id}.${seconds}.`, body) };
  },

  /** https://docs.stripe.com/webhooks/signature: `t=<seconds>,v1=<hex>`, several v1 during a rotation, over `t.body`. */
  STRIPE: ({ header, body }, _rule, now) => {
    const parts = (header('stripe-signature') ?? '').split(',').map((part) => part.trim());
    const seconds = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
    if (!isRecent(seconds, now)) return null;
    const presented = parts.flatMap((part) => (part.startsWith('v1=') ? decodeHex(part.slice(3)) : []));
    return { presented, expected: (secret) => hmacSha256(secret, `${seconds}.`, body) };
  },

  /** https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries: `sha256=<hex>` over the body. */
  GITHUB: ({ header, body }) => {
    const value = header('x-hub-signature-256') ?? '';
    if (!value.startsWith('sha256=')) return null;
    return { presented: [decodeHex(value.slice(7))], expected: (secret) => hmacSha256(secret, body) };
  },

  /** https://shopify.dev/docs/apps/build/webhooks/subscribe/https: base64 over the body. */
  SHOPIFY: ({ header, body }) => ({
    presented: [decodeBase64(header('x-shopify-hmac-sha256') ?? '')],
    expected: (secret) => hmacSha256(secret, body),
  }),

  /** https://docs.slack.dev/authentication/verifying-requests-from-slack: `v0=<hex>` over `v0:timestamp:body`. */
  SLACK: ({ header, body }, _rule, now) => {
    const seconds = header('x-slack-request-timestamp') ?? '';
    const value = header('x-slack-signature') ?? '';
    if (!value.startsWith('v0=') || !isRecent(seconds, now)) return null;
    return { presented: [decodeHex(value.slice(3))], expected: (secret) => hmacSha256(secret, `v0:${seconds}:`, body) };
  },
};

/** A provider sends few signatures; a stranger may send many. */
const MAX_SIGNATURES = 10;

/** Returns the HMAC-SHA-256 of the concatenated parts. */
function hmacSha256(key: string | Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/**
 * Whether any presented signature equals an expected one, in time that does not depend on their content. Checks only the
 * first ten.
 */
function matchesAny(presented: readonly Buffer[], expected: readonly Buffer[]): boolean {
  let found = false;
  for (const signature of presented.slice(0, MAX_SIGNATURES)) {
    for (const digest of expected) {
      if (signature.length === digest.length && timingSafeEqual(signature, digest)) found = true;
    }
  }
  return found;
}

/** Decodes 64 hexadecimal digits; an empty buffer for anything else. */
function decodeHex(text: string): Buffer {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.alloc(0);
}

/** Decodes the base64 of 32 bytes; an empty buffer for anything else. */
function decodeBase64(text: string): Buffer {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
}

/** A signed time may differ from ours by five minutes, either way (docs/specification.md#incoming-events). */
const TOLERANCE_SECONDS = 5 * 60;

/** Whether a signed time, in whole seconds since 1970, is close enough to now. A replayed request fails. */
function isRecent(seconds: string, now: Date): boolean {
  if (!/^\d{1,12}$/.test(seconds)) return false;
  return Math.abs(now.getTime() / SECOND_MS - Number(seconds)) <= TOLERANCE_SECONDS;
}

const MAX_CHARS = 255;

/** Where each provider puts the id that stays the same when it retries a request. */
const IDS: Record<SignedProvider | 'NONE', (request: ReceivedRequest) => unknown> = {
  NONE: () => null,
  GENERIC_HMAC: () => null,
  STANDARD_WEBHOOKS: ({ header }) => header('webhook-id'),
  STRIPE: ({ body }) => memberOf(body, 'id'),
  GITHUB: ({ header }) => header('x-github-delivery'),
  SHOPIFY: ({ header }) => header('x-shopify-webhook-id'),
  SLACK: ({ body }) => memberOf(body, 'event_id'),
};

/** Returns the provider's id of an event, by which retries are recognized; null when it sends none. */
export function providerEventIdOf(provider: SignedProvider | 'NONE', request: ReceivedRequest): string | null {
  const id = IDS[provider](request);
  // PostgreSQL stores no NUL in text.
  return typeof id === 'string' && id !== '' && id.length <= MAX_CHARS && !id.includes('\0') ? id : null;
}

/** Reads a member of a JSON object; undefined when the body is something else, such as a form. */
function memberOf(body: Buffer, name: string): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}

const MAX_CHALLENGE_CHARS = 1_000;

/**
 * Returns the response that the provider expects when it verifies a new URL; null for every other request. Only Slack does
 * that: it posts a signed `url_verification` with a challenge (https://docs.slack.dev/reference/events/url_verification).
 * The signature must have been verified.
 */
export function challengeOf(provider: SignedProvider | 'NONE', { body }: ReceivedRequest): string | null {
  if (provider !== 'SLACK' || body.length > 2 * MAX_CHALLENGE_CHARS) return null;
  try {
    const { type, challenge } = JSON.parse(body.toString('utf8')) as { type?: unknown; challenge?: unknown };
    const isChallenge = type === 'url_verification' && typeof challenge === 'string';
    return isChallenge && challenge.length <= MAX_CHALLENGE_CHARS ? challenge : null;
  } catch {
    return null;
  }
}

/** A request to a source, as it arrived. */
export interface ReceivedRequest {
  /** Returns a header by its lower-case name. */
  header(name: string): string | null;
  /** The body, byte for byte. */
  body: Buffer;
}

/** How a source checks signatures. */
export interface SignatureRule {
  provider: SignedProvider;
  /** The secrets that are valid now: one, or two during a rotation. */
  secrets: readonly string[];
  /** The header that holds the signature. Only GENERIC_HMAC uses this and the next two fields. */
  header: string;
  encoding: 'hex' | 'base64';
  /** Text before the signature in the header, such as `sha256=`; empty for none. */
  prefix: string;
}

export type SignedProvider = 'GENERIC_HMAC' | 'STANDARD_WEBHOOKS' | 'STRIPE' | 'GITHUB' | 'SHOPIFY' | 'SLACK';
