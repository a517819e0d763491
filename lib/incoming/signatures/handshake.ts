import type { ReceivedRequest, SignedProvider } from './received';

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
