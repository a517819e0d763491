import { hmacOf, type SignatureScheme } from '@/lib/delivery/signature-schemes-policy';
import type { ReceivedRequest } from './verify-signature';

/** The response that a provider expects when it verifies a URL. Without content for 204. */
export interface Challenge {
  status: 200 | 204;
  contentType: 'text/plain' | 'application/json';
  content: string;
}

const MAX_CHALLENGE_CHARS = 1_000;
/** A challenge has little besides its text. */
const MAX_BODY_BYTES = 2 * MAX_CHALLENGE_CHARS;
/** Zoom has its token signed. One of these characters alone never says anything else that Zoom signs. */
const ZOOM_TOKEN = /^[\w-]{1,200}$/;

const text = (content: unknown): Challenge | null =>
  typeof content === 'string' && content !== '' && content.length <= MAX_CHALLENGE_CHARS
    ? { status: 200, contentType: 'text/plain', content }
    : null;

/**
 * @param body the JSON object that was sent
 * @param findSecret returns the secret that signed the request
 */
type Answer = (body: Record<string, unknown>, findSecret: () => string | undefined) => Challenge | null;

/** How to answer the providers that sign their challenge. The signature has been verified. */
const SIGNED: Partial<Record<SignatureScheme, Answer>> = {
  /** https://docs.slack.dev/reference/events/url_verification */
  SLACK: ({ type, challenge }) => (type === 'url_verification' ? text(challenge) : null),

  /** https://developers.zoom.us/docs/api/webhooks: `endpoint.url_validation`, at first and every 72 hours. */
  ZOOM: ({ event, payload }, findSecret) => {
    if (event !== 'endpoint.url_validation') return null;
    const { plainToken } = (payload ?? {}) as { plainToken?: unknown };
    if (typeof plainToken !== 'string' || !ZOOM_TOKEN.test(plainToken)) return null;
    const secret = findSecret();
    if (secret === undefined) return null;
    const content = JSON.stringify({
      plainToken,
      encryptedToken: hmacOf('sha256', secret, plainToken).toString('hex'),
    });
    return { status: 200, contentType: 'application/json', content };
  },

  /**
   * https://docs.discord.com/developers/events/webhook-events: a PING of webhook events has the type 0, one of interactions the
   * type 1, which an event has too.
   */
  DISCORD: ({ type, event }) => {
    if (type === 0) return { status: 204, contentType: 'application/json', content: '' };
    const isPing = type === 1 && event === undefined;
    return isPing ? { status: 200, contentType: 'application/json', content: '{"type":1}' } : null;
  },
};

/**
 * Returns the response to a signed request that verifies the URL of a source; null for every other request. The signature must have
 * been verified.
 * @param findSecret returns the secret that signed it: during a rotation, the provider may have either
 */
export function signedChallengeOf(
  provider: SignatureScheme | 'NONE',
  request: ReceivedRequest,
  findSecret: () => string | undefined,
): Challenge | null {
  if (provider === 'NONE' || request.body.length > MAX_BODY_BYTES || SIGNED[provider] === undefined) return null;
  const json = parse(request.body.toString('utf8'));
  return typeof json === 'object' && json !== null
    ? SIGNED[provider](json as Record<string, unknown>, findSecret)
    : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the response to a request that verifies the URL without a signature; null for every other request. Only Microsoft Graph
 * posts one: it must get back the token of its query (https://learn.microsoft.com/graph/change-notifications-delivery-webhooks).
 */
export function unsignedChallengeOf(provider: SignatureScheme | 'NONE', query: string | null): Challenge | null {
  return provider === 'MICROSOFT_GRAPH' && query !== null
    ? text(new URLSearchParams(query).get('validationToken'))
    : null;
}

/**
 * Returns the response to a GET that verifies the URL; null when its token is not the expected one. Only Meta sends one
 * (https://developers.facebook.com/docs/graph-api/webhooks/getting-started).
 * @param token what Meta was told as the verify token
 */
export function metaChallengeOf(query: URLSearchParams, token: string): Challenge | null {
  const isMeant = query.get('hub.mode') === 'subscribe' && query.get('hub.verify_token') === token;
  return isMeant ? text(query.get('hub.challenge')) : null;
}
