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
