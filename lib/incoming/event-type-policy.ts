import type { HeaderPairs } from '@/lib/platform/net/header-pairs';

/** Headers in which providers name the type of an event: GitHub and Gitea, GitLab, Shopify, WooCommerce, Bitbucket, others. */
const HEADERS = [
  'x-github-event',
  'x-gitlab-event',
  'x-shopify-topic',
  'x-wc-webhook-topic',
  'x-event-key',
  'x-event-type',
];
/** Fields of a JSON body that name it: Standard Webhooks, Stripe and Slack, PayPal, Paddle, Calendly. */
const FIELDS = ['type', 'event_type', 'eventType', 'event'];
const MAX_LENGTH = 200;

/**
 * Returns the type of the event that a request brings, as its provider names it; null without one.
 * @param body the text of the body; null when it is unknown, or too large to be read for this
 */
export function eventTypeOf(headers: HeaderPairs, body: string | null): string | null {
  for (const name of HEADERS) {
    const value = headers.find(([key]) => key.toLowerCase() === name)?.[1].trim();
    if (value) return value.slice(0, MAX_LENGTH);
  }
  const fields = body === null ? null : parseObject(body);
  for (const name of FIELDS) {
    const value = fields?.[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, MAX_LENGTH);
  }
  return null;
}

function parseObject(text: string): Record<string, unknown> | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}
