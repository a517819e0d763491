import { signingKey } from '@/lib/delivery/endpoint-secret';
import { decodeBase64, decodeHex, hmacSha256, matchesAny } from './hmac';
import type { ReceivedRequest, SignatureRule, SignedProvider } from './received';
import { isRecent } from './timestamp';

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
    const [seconds, value] = [header('x-slack-request-timestamp') ?? '', header('x-slack-signature') ?? ''];
    if (!value.startsWith('v0=') || !isRecent(seconds, now)) return null;
    return { presented: [decodeHex(value.slice(3))], expected: (secret) => hmacSha256(secret, `v0:${seconds}:`, body) };
  },
};
