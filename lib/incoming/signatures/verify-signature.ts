import {
  decodeDigest,
  hmacSha256,
  isSameDigest,
  MAX_SIGNATURES,
  parseSeconds,
  SCHEMES,
  type SignatureForm,
  type SignatureScheme,
  TOLERANCE_SECONDS,
} from '@/lib/delivery/signature-schemes-policy';
import { SECOND_MS } from '@/lib/platform/clock';
import { memberOf } from './parsed-body';

/**
 * Whether a request carries the signature of its provider, made with one of the valid secrets. If the provider signs a
 * timestamp, it must be within five minutes of our clock.
 */
export function verifySignature(rule: SignatureRule, { header, body }: ReceivedRequest, now: Date): boolean {
  const scheme = SCHEMES[rule.provider];
  const { signatures, seconds, start } = scheme.read(header, rule);
  if (signatures.length === 0 || (seconds !== null && !isRecent(seconds, now))) return false;
  const presented = signatures.slice(0, MAX_SIGNATURES).map((each) => decodeDigest(each, scheme.encoding(rule)));
  const expected = rule.secrets.map((secret) => hmacSha256(scheme.key(secret), start, body));
  let found = false;
  for (const signature of presented) {
    for (const digest of expected) if (isSameDigest(signature, digest)) found = true;
  }
  return found;
}

/** Whether a signed time, in whole seconds since 1970, is close enough to now. A replayed request fails. */
function isRecent(text: string, now: Date): boolean {
  const seconds = parseSeconds(text);
  return seconds !== null && Math.abs(now.getTime() / SECOND_MS - seconds) <= TOLERANCE_SECONDS;
}

const MAX_CHARS = 255;

/** Where each provider puts the id that stays the same when it retries a request. */
const IDS: Record<SignatureScheme | 'NONE', (request: ReceivedRequest) => unknown> = {
  NONE: () => null,
  GENERIC_HMAC: () => null,
  STANDARD_WEBHOOKS: ({ header }) => header('webhook-id'),
  STRIPE: ({ body }) => memberOf(body, 'id'),
  GITHUB: ({ header }) => header('x-github-delivery'),
  SHOPIFY: ({ header }) => header('x-shopify-webhook-id'),
  SLACK: ({ body }) => memberOf(body, 'event_id'),
};

/** Returns the provider's id of an event, by which retries are recognized; null when it sends none. */
export function providerEventIdOf(provider: SignatureScheme | 'NONE', request: ReceivedRequest): string | null {
  const id = IDS[provider](request);
  // PostgreSQL stores no NUL in text.
  return typeof id === 'string' && id !== '' && id.length <= MAX_CHARS && !id.includes('\0') ? id : null;
}

const MAX_CHALLENGE_CHARS = 1_000;

/**
 * Returns the response that the provider expects when it verifies a new URL; null for every other request. Only Slack does
 * that: it posts a signed `url_verification` with a challenge (https://docs.slack.dev/reference/events/url_verification).
 * The signature must have been verified.
 */
export function challengeOf(provider: SignatureScheme | 'NONE', { body }: ReceivedRequest): string | null {
  if (provider !== 'SLACK' || body.length > 2 * MAX_CHALLENGE_CHARS) return null;
  const challenge = memberOf(body, 'challenge');
  const isChallenge = memberOf(body, 'type') === 'url_verification' && typeof challenge === 'string';
  return isChallenge && challenge.length <= MAX_CHALLENGE_CHARS ? challenge : null;
}

/** A request to a source, as it arrived. */
export interface ReceivedRequest {
  /** Returns a header by its lower-case name. */
  header(name: string): string | null;
  /** The body, byte for byte. */
  body: Buffer;
}

/** How a source checks signatures. */
export interface SignatureRule extends SignatureForm {
  /** The secrets that are valid now: one, or two during a rotation. */
  secrets: readonly string[];
}
