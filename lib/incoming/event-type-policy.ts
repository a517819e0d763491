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
/** Fields of a JSON body that name it: Standard Webhooks, Stripe and Slack; PayPal and Paddle; Calendly and Zoom; HubSpot. */
export const TYPE_FIELDS = ['type', 'event_type', 'eventType', 'event', 'subscriptionType'];
const MAX_LENGTH = 200;

/** How much of a body is read for its type, in characters: to read more would cost more than the rest of receiving it. */
const MAX_READ = 1024;

/**
 * Returns the type of the event that a request brings, as its provider names it; null without one.
 * @param readBody returns the text of the body, or its start; null when it is unknown. Called only if no header tells
 */
export function eventTypeOf(headers: HeaderPairs, readBody: () => string | null): string | null {
  for (const name of HEADERS) {
    const type = typeIn(headers.find(([key]) => key.toLowerCase() === name)?.[1].trim());
    if (type !== null) return type;
  }
  return typeInText((readBody() ?? '').slice(0, MAX_READ));
}

/** Returns the type in members of a JSON object (./signatures/body-members.ts, `membersOf`); null without one. */
export function typeInMembers(members: Readonly<Record<string, unknown>>): string | null {
  for (const name of TYPE_FIELDS) {
    const type = typeIn(members[name]);
    if (type !== null) return type;
  }
  return null;
}

/** Control characters are never part of a type, and PostgreSQL stores no NUL. */
function typeIn(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  const start = value.slice(0, MAX_LENGTH);
  return /\p{Cc}/u.test(start) ? null : start.toWellFormed();
}

/** A string, also one that is cut off, a bracket, or a comma between members, wherever they are in a JSON text. It reads each character once. */
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{},]/gs;

/**
 * Finds the first member with the name of a type in the text of a JSON object, or of the first object in an array. It reads no
 * further, so that a request does not pay for parsing its body; the text may be cut off, or no JSON at all.
 */
function typeInText(text: string): string | null {
  const start = /^\s*(?:\[\s*)?\{/.exec(text)?.[0].length;
  if (start === undefined) return null;
  let depth = 0;
  let isName = true;
  TOKEN.lastIndex = start;
  for (let token = TOKEN.exec(text); token !== null && depth >= 0; token = TOKEN.exec(text)) {
    const [word] = token;
    if (depth === 0 && isName && TYPE_FIELDS.includes(word.slice(1, -1))) {
      const value = /^\s*:\s*("(?:[^"\\]|\\.)*")/s.exec(
        text.slice(TOKEN.lastIndex, TOKEN.lastIndex + 2 * MAX_LENGTH),
      )?.[1];
      const type = value === undefined ? null : typeIn(parseString(value));
      if (type !== null) return type;
    }
    isName = word === ',';
    if (word === '{' || word === '[') depth += 1;
    if (word === '}' || word === ']') depth -= 1;
  }
  return null;
}

function parseString(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
