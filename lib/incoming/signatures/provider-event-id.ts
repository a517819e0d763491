import type { ReceivedRequest, SignedProvider } from './received';

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
