import type { ReceivedRequest, SignedProvider } from './received';

const MAX_CHALLENGE_CHARS = 1_000;

/**
 * Returns what the provider expects to read when it verifies a new URL; null for every other request. Slack alone of the
 * providers asks: it posts a signed `url_verification` with a challenge
 * (https://docs.slack.dev/reference/events/url_verification). The signature must have been verified.
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
