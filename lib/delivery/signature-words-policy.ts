import type { SignatureReason } from './schema';
import type { SignatureScheme } from './signature-schemes-policy';

export const NAMES: Record<SignatureScheme, string> = {
  GENERIC_HMAC: 'Custom (HMAC)',
  STANDARD_WEBHOOKS: 'Standard Webhooks',
  STRIPE: 'Stripe',
  GITHUB: 'GitHub',
  SHOPIFY: 'Shopify',
  SLACK: 'Slack',
  TOKEN: 'Custom (token)',
  GITLAB: 'GitLab',
  TELEGRAM: 'Telegram',
  PADDLE: 'Paddle',
  CALENDLY: 'Calendly',
  ZENDESK: 'Zendesk',
  HUBSPOT: 'HubSpot',
  SQUARE: 'Square',
  META: 'Meta',
  ZOOM: 'Zoom',
  MICROSOFT_GRAPH: 'Microsoft Graph',
  DISCORD: 'Discord',
};

/** What a check says to its reader, who can change either what verifies a request or what signs it. */
export interface SignatureWords {
  noSecret: string;
  noToken: string;
  /** No header was found in what was given. Absent where requests are stored: they have some. */
  noHeaders?: string;
  /** A header is missing. */
  missing: string;
  wrongToken: string;
  /** The token was not kept. */
  redactedToken: { reason: Extract<SignatureReason, 'redacted_header' | 'wrong_secret'>; detail: string };
  /** No secret is right. @param changed what else may have been changed */
  noMatch(changed: string): string;
  /** What to do when another secret signed a request; empty for nothing. */
  correctSecret: string;
  /** What to do when the body was changed. */
  correctBody: string;
  /** The signature is right, and its time is not. @param age in seconds, negative in the future */
  late(age: number): string;
  alsoLate(age: number): string;
}

const RAW = 'Verify the raw body, byte for byte, before anything parses it.';

/** For whoever receives requests, and verifies them. */
export const WORDS_FOR_RECEIVERS: SignatureWords = {
  noSecret: 'No signing secret is set, so no signature can be verified.',
  noToken: 'No secret is set, so no token can be verified.',
  noHeaders: 'No header could be read. Give each as a line of name: value, or all of them as JSON.',
  missing: 'A proxy or framework may drop or rename headers.',
  wrongToken: 'The token is not the secret of this source.',
  redactedToken: {
    reason: 'redacted_header',
    detail: 'The token was redacted: this copy does not have what was received.',
  },
  noMatch: (changed) => `Another secret signed it, or ${changed} was changed. ${RAW}`,
  correctSecret: '',
  correctBody: RAW,
  late: (age) => {
    const why =
      age > 0
        ? 'If the request has just arrived, a clock is wrong; if not, it may have been valid then.'
        : 'A clock is wrong.';
    return `But its timestamp is ${describeLate(age)}. Receivers accept five minutes either way. ${why}`;
  },
  alsoLate: (age) => `Also, its timestamp is ${describeLate(age)}.`,
};

function describeLate(age: number): string {
  return age > 0 ? `${formatSeconds(age)} too old to be now` : `${formatSeconds(-age)} in the future`;
}

/** What to do at a provider that has another secret than the source. */
const CORRECTIONS: Record<SignatureScheme, string> = {
  GITHUB:
    'On GitHub, open Settings → Webhooks, edit the webhook, paste this source’s secret as Secret, save, and choose Redeliver under Recent Deliveries.',
  GITLAB:
    'In GitLab, open Settings → Webhooks, edit the webhook, paste this source’s secret as Secret token, save, and resend the request.',
  TELEGRAM: 'Call setWebhook again with this source’s secret as secret_token.',
  CALENDLY: 'Create the webhook subscription again with this source’s secret as signing_key.',
  MICROSOFT_GRAPH: 'Create the subscription again with this source’s secret as clientState.',
  STANDARD_WEBHOOKS: 'Give the sender this source’s secret, or paste the sender’s under Signing secret here.',
  GENERIC_HMAC: 'Give the sender this source’s secret, or paste the sender’s under Signing secret here.',
  TOKEN: 'Give the sender this source’s secret, or paste the sender’s under Signing secret here.',
  STRIPE:
    'In Stripe, open Developers → Webhooks and this destination, copy its Signing secret, and paste it under Signing secret here.',
  SHOPIFY:
    'Copy the signing secret below the list of webhooks in Shopify, or for an app’s webhooks the app’s Client secret, and paste it under Signing secret here.',
  SLACK:
    'In Slack, open Basic Information → App Credentials of the app, copy its Signing Secret, and paste it under Signing secret here.',
  PADDLE:
    'In Paddle, open Developer tools → Notifications, edit the destination, copy its Secret key, and paste it under Signing secret here.',
  ZENDESK: 'In Zendesk, open the webhook, reveal its Signing secret, copy it, and paste it under Signing secret here.',
  HUBSPOT:
    'In HubSpot, open Auth of the app, copy its Client secret, and paste it under Signing secret here. HubSpot signs the URL too: its Target URL must be the present one of this source.',
  SQUARE:
    'In Square, open the webhook subscription, copy its Signature key, and paste it under Signing secret here. Square signs the URL too: its Notification URL must be the present one of this source.',
  META: 'In the App Dashboard, open App settings → Basic, copy the App secret, and paste it under Signing secret here.',
  ZOOM: 'In Zoom, open Features → Access of the app, copy its Secret Token, and paste it under Signing secret here.',
  DISCORD:
    'In Discord, open General Information of the app, copy its Public Key, and paste it under Signing secret here.',
};

/** Those that sign nothing, or send no token, while their webhook has no secret. */
const SIGNS_WITH_SECRET: ReadonlySet<SignatureScheme> = new Set(['GITHUB', 'GITLAB', 'TELEGRAM', 'CALENDLY']);
const OWN: ReadonlySet<SignatureScheme> = new Set(['GENERIC_HMAC', 'TOKEN', 'STANDARD_WEBHOOKS']);

/**
 * For whoever has a source: the service verifies, so what can be corrected is the secret, the clock and the way of the provider.
 * @param arrival whether `at` is when the request arrived, or now because that is not known; and whether it was refused
 */
export function wordsForSource(
  provider: SignatureScheme,
  { isKnown, wasRefused }: { isKnown: boolean; wasRefused: boolean },
): SignatureWords {
  const name = OWN.has(provider) ? 'the sender' : NAMES[provider];
  const Name = OWN.has(provider) ? 'The sender' : name;
  const correctSecret = CORRECTIONS[provider];
  const noSecret = `This source has no secret yet. ${correctSecret}`;
  return {
    noSecret,
    noToken: noSecret,
    missing: SIGNS_WITH_SECRET.has(provider)
      ? `${Name} sends it only when the webhook has a secret. ${correctSecret}`
      : `${Name} didn’t send this request, or a proxy dropped or renamed the header.`,
    wrongToken: `The token isn’t this source’s secret. ${correctSecret}`,
    redactedToken: wasRefused
      ? {
          reason: 'wrong_secret',
          detail: `The token wasn’t this source’s secret. We never store it, so it can’t be checked again. ${correctSecret}`,
        }
      : {
          reason: 'redacted_header',
          detail: 'The token was redacted: we never store it, so it can’t be checked again.',
        },
    noMatch: (changed) =>
      `The secret at ${name} is probably another. ${correctSecret} If it is the same, ${changed} was changed on the way.`,
    correctSecret,
    correctBody: `Every byte is signed: look for a proxy between ${name} and here that changes bodies.`,
    late: (age) => {
      const off = formatSeconds(Math.abs(age));
      if (age < 0) {
        return `But it was signed ${off} after ${isKnown ? 'it arrived' : 'now'}, and five minutes are accepted: ${name}’s clock is fast.`;
      }
      return isKnown
        ? `But it was signed ${off} before it arrived, and five minutes are accepted: ${name}’s clock is slow, or the request was held up or replayed.`
        : `But it was signed ${off} ago, and five minutes are accepted. If it arrived earlier, say when it was received.`;
    },
    alsoLate: (age) =>
      `Also, it was signed ${formatSeconds(Math.abs(age))} ${age > 0 ? 'before' : 'after'} ${isKnown ? 'it arrived' : 'now'}.`,
  };
}

/** Returns the two largest units of a time: "3 h 12 min". */
function formatSeconds(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor((seconds % 86_400) / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
