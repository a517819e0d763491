import { shellQuote } from '@/components/ui/shell-quote';
import type { Source, SourceProvider } from '@/lib/incoming/schema';

type Sender = Pick<
  Source,
  | 'provider'
  | 'signatureHeader'
  | 'signatureEncoding'
  | 'signaturePrefix'
  | 'signatureKey'
  | 'signatureAlgorithm'
  | 'signedContent'
  | 'timestampHeader'
  | 'timestampKey'
  | 'idHeader'
  | 'secretEncoding'
> & { url: string };

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

const KEY_FROM_BASE64 = `openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n'`;
/** What a template names, as shell variables. */
const VARIABLES: Record<string, string> = {
  '{body}': '$BODY',
  '{timestamp}': '$TIME',
  '{id}': '$ID',
  '{url}': '$URL',
  '{method}': 'POST',
};

/** Escapes text inside double quotes of a shell, which then expands nothing in it. */
const escapeInQuotes = (text: string) => text.replaceAll(/[\\"$`]/g, '\\$&');

/** Signs as a custom sender: with a hash, a template and a key that the source chooses. */
function signGeneric(source: Sender): Recipe {
  const { signatureHeader, signatureEncoding, signaturePrefix, signatureKey, timestampHeader, timestampKey } = source;
  const { idHeader, secretEncoding, signatureAlgorithm, url } = source;
  const content = source.signedContent ?? '{body}';
  const text = content
    .split(/(\{\w+\})/)
    .map((part) => VARIABLES[part] ?? escapeInQuotes(part))
    .join('');
  const hash = `-${(signatureAlgorithm ?? 'SHA256').toLowerCase()}`;
  const isEncoded = secretEncoding === 'hex' || secretEncoding === 'base64';
  const key = isEncoded ? '-mac HMAC -macopt "hexkey:$KEY"' : '-hmac "$SECRET"';
  const command =
    signatureEncoding === 'base64'
      ? `openssl dgst ${hash} ${key} -binary | openssl base64 -A`
      : `openssl dgst ${hash} ${key} | sed 's/^.* //'`;
  const isTimed = content.includes('{timestamp}');
  const time = timestampKey ? `${timestampKey}=$TIME` : '$TIME';
  const item = signatureKey ? `${signatureKey}=` : '';
  const prefix = signaturePrefix ?? '';
  const list = isTimed && !timestampHeader ? `${time},` : '';
  const lines = [
    ...(content.includes('{url}') ? [`URL=${shellQuote(url)}`] : []),
    ...(isTimed ? [TIME] : []),
    ...(idHeader ? [`ID="evt_${RANDOM}"`] : []),
    ...(secretEncoding === 'hex' ? ['KEY=$SECRET'] : []),
    ...(secretEncoding === 'base64' ? [`KEY=$(printf '%s' "$SECRET" | ${KEY_FROM_BASE64})`] : []),
    sign(text, command),
  ];
  const literal = `${signatureHeader ?? 'X-Signature'}: `;
  const signature: Recipe['headers'][number] =
    list === ''
      ? [`${literal}${item}${prefix}`, '$SIGNATURE']
      : [literal, `${list}${item}${escapeInQuotes(prefix)}$SIGNATURE`];
  return {
    body: ORDER,
    lines,
    headers: [
      ...(idHeader ? [[`${idHeader}: `, '$ID'] as const] : []),
      ...(isTimed && timestampHeader ? [[`${timestampHeader}: `, time] as const] : []),
      signature,
    ],
  };
}

const RECIPES: Record<Exclude<SourceProvider, 'NONE' | 'DISCORD'>, (source: Sender) => Recipe> = {
  GENERIC_HMAC: signGeneric,
  TOKEN: ({ signatureHeader, signaturePrefix }) => ({
    body: ORDER,
    lines: [],
    headers: [[`${signatureHeader ?? 'X-Webhook-Token'}: ${signaturePrefix ? `${signaturePrefix} ` : ''}`, '$SECRET']],
  }),
  STANDARD_WEBHOOKS: () => ({
    body: ORDER,
    lines: [
      `ID="msg_${RANDOM}"`,
      TIME,
      `KEY=$(printf '%s' "\${SECRET#whsec_}" | ${KEY_FROM_BASE64})`,
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
  GITLAB: () => ({
    body: `'{"object_kind": "push", "ref": "refs/heads/main"}'`,
    lines: [],
    headers: [
      ['X-Gitlab-Event: Push Hook', ''],
      ['Idempotency-Key: ', RANDOM],
      ['X-Gitlab-Token: ', '$SECRET'],
    ],
  }),
  TELEGRAM: () => ({
    body: `'{"update_id": '"$(date +%s)"', "message": {"message_id": 1, "text": "Hello"}}'`,
    lines: [],
    headers: [['X-Telegram-Bot-Api-Secret-Token: ', '$SECRET']],
  }),
  PADDLE: () => ({
    body: `'{"event_type": "transaction.completed", "notification_id": "ntf_'"${RANDOM}"'"}'`,
    lines: [TIME, sign('$TIME:$BODY', HEX)],
    headers: [['Paddle-Signature: ', 'ts=$TIME;h1=$SIGNATURE']],
  }),
  CALENDLY: () => ({
    body: `'{"event": "invitee.created", "payload": {"name": "Ada"}}'`,
    lines: [TIME, sign('$TIME.$BODY', HEX)],
    headers: [['Calendly-Webhook-Signature: ', 't=$TIME,v1=$SIGNATURE']],
  }),
  ZENDESK: () => ({
    body: `'{"type": "zen:event-type:ticket.created", "subject": "zen:ticket:1042"}'`,
    lines: ['TIME=$(date -u +%Y-%m-%dT%H:%M:%SZ)', sign('$TIME$BODY', BASE64)],
    headers: [
      ['X-Zendesk-Webhook-Invocation-Id: ', RANDOM],
      ['X-Zendesk-Webhook-Signature-Timestamp: ', '$TIME'],
      ['X-Zendesk-Webhook-Signature: ', '$SIGNATURE'],
    ],
  }),
  HUBSPOT: ({ url }) => ({
    body: `'[{"subscriptionType": "contact.creation", "objectId": 1042}]'`,
    lines: [`URL=${shellQuote(url)}`, 'TIME=$(date +%s)000', sign('POST$URL$BODY$TIME', BASE64)],
    headers: [
      ['X-HubSpot-Request-Timestamp: ', '$TIME'],
      ['X-HubSpot-Signature-v3: ', '$SIGNATURE'],
    ],
  }),
  SQUARE: ({ url }) => ({
    body: `'{"type": "payment.updated", "event_id": "'"${RANDOM}"'"}'`,
    lines: [`URL=${shellQuote(url)}`, sign('$URL$BODY', BASE64)],
    headers: [['X-Square-HmacSha256-Signature: ', '$SIGNATURE']],
  }),
  META: () => ({
    body: `'{"object": "page", "entry": [{"id": "1042", "changes": []}]}'`,
    lines: [sign('$BODY', HEX)],
    headers: [['X-Hub-Signature-256: sha256=', '$SIGNATURE']],
  }),
  ZOOM: () => ({
    body: `'{"event": "meeting.started", "payload": {"object": {"id": "1042"}}}'`,
    lines: [TIME, sign('v0:$TIME:$BODY', HEX)],
    headers: [
      ['x-zm-request-timestamp: ', '$TIME'],
      ['x-zm-signature: v0=', '$SIGNATURE'],
    ],
  }),
  MICROSOFT_GRAPH: () => ({
    body: `'{"value": [{"changeType": "created", "resource": "me/messages", "clientState": "'"$SECRET"'"}]}'`,
    lines: [],
    headers: [],
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
 * reads it from SOURCE_SECRET. Null for Discord, which signs with a private key that nobody else has.
 */
export function signedCurl(source: Sender, secret: string | null): string | null {
  if (source.provider === 'DISCORD') return null;
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
