import { shellQuote } from '@/components/ui/shell-quote';
import type { Source, SourceProvider } from '@/lib/incoming/schema';

type Sender = Pick<Source, 'provider' | 'signatureHeader' | 'signatureEncoding' | 'signaturePrefix'> & { url: string };

/** How a provider signs: the lines that set the variables, and the headers, as a literal and shell variables. */
interface Recipe {
  body: string;
  lines: string[];
  headers: (readonly [literal: string, variables: string])[];
}

const HEX = `openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //'`;
const BASE64 = 'openssl dgst -sha256 -hmac "$SECRET" -binary | openssl base64 -A';
const RANDOM = '$(openssl rand -hex 8)';
const TIME = 'TIME=$(date +%s)';
const ORDER = `'{"type": "order.paid", "data": {"orderId": "ord_1042", "amount": 129.00}}'`;

const sign = (text: string, command: string) => `SIGNATURE=$(printf '%s' "${text}" | ${command})`;

const RECIPES: Record<Exclude<SourceProvider, 'NONE'>, (source: Sender) => Recipe> = {
  GENERIC_HMAC: ({ signatureHeader, signatureEncoding, signaturePrefix }) => ({
    body: ORDER,
    lines: [sign('$BODY', signatureEncoding === 'base64' ? BASE64 : HEX)],
    headers: [[`${signatureHeader ?? 'X-Signature'}: ${signaturePrefix ?? ''}`, '$SIGNATURE']],
  }),
  STANDARD_WEBHOOKS: () => ({
    body: ORDER,
    lines: [
      `ID="msg_${RANDOM}"`,
      TIME,
      `KEY=$(printf '%s' "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
      sign('$ID.$TIME.$BODY', 'openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A'),
    ],
    headers: [
      ['webhook-id: ', '$ID'],
      ['webhook-timestamp: ', '$TIME'],
      ['webhook-signature: v1,', '$SIGNATURE'],
    ],
  }),
  STRIPE: () => ({
    body: `'{"id": "evt_'"${RANDOM}"'", "type": "payment_intent.succeeded", "data": {"object": {"amount": 12900}}}'`,
    lines: [TIME, sign('$TIME.$BODY', HEX)],
    headers: [['Stripe-Signature: ', 't=$TIME,v1=$SIGNATURE']],
  }),
  GITHUB: () => ({
    body: `'{"zen": "Keep it logically awesome.", "hook_id": 1042}'`,
    lines: [sign('$BODY', HEX)],
    headers: [
      ['X-GitHub-Event: ping', ''],
      ['X-GitHub-Delivery: ', RANDOM],
      ['X-Hub-Signature-256: sha256=', '$SIGNATURE'],
    ],
  }),
  SHOPIFY: () => ({
    body: `'{"id": 1042, "total_price": "129.00", "currency": "EUR"}'`,
    lines: [sign('$BODY', BASE64)],
    headers: [
      ['X-Shopify-Topic: orders/paid', ''],
      ['X-Shopify-Webhook-Id: ', RANDOM],
      ['X-Shopify-Hmac-Sha256: ', '$SIGNATURE'],
    ],
  }),
  SLACK: () => ({
    body: `'{"type": "event_callback", "event_id": "Ev'"${RANDOM}"'", "event": {"type": "app_mention"}}'`,
    lines: [TIME, sign('v0:$TIME:$BODY', HEX)],
    headers: [
      ['X-Slack-Request-Timestamp: ', '$TIME'],
      ['X-Slack-Signature: v0=', '$SIGNATURE'],
    ],
  }),
};

/**
 * Returns a shell command that sends one event, signed with openssl as the provider signs. Without the secret the command
 * reads it from SOURCE_SECRET.
 */
export function signedCurl(source: Sender, secret: string | null): string {
  if (source.provider === 'NONE') return curlTo(source.url, [], ORDER);
  const { body, lines, headers } = RECIPES[source.provider](source);
  return [
    `SECRET=${secret === null ? '"$SOURCE_SECRET"' : shellQuote(secret)}`,
    `BODY=${body}`,
    ...lines,
    curlTo(source.url, headers, '"$BODY"'),
  ].join('\n');
}

function curlTo(url: string, headers: Recipe['headers'], data: string): string {
  return [
    `curl ${shellQuote(url)}`,
    '-H "Content-Type: application/json"',
    ...headers.map(([literal, variables]) => `-H ${quoteHeader(literal, variables)}`),
    `-d ${data}`,
  ].join(' \\\n  ');
}

/** One shell word of a literal, which may hold any visible character, and of variables that the shell expands. */
function quoteHeader(literal: string, variables: string): string {
  const isPlain = /^[\w :=,./-]*$/.test(literal);
  return isPlain ? `"${literal}${variables}"` : `${shellQuote(literal)}"${variables}"`;
}
