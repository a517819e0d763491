import { createHmac, createPublicKey, hash, timingSafeEqual, verify } from 'node:crypto';

export type SignatureScheme =
  | 'GENERIC_HMAC'
  | 'TOKEN'
  | 'STANDARD_WEBHOOKS'
  | 'STRIPE'
  | 'GITHUB'
  | 'SHOPIFY'
  | 'SLACK'
  | 'GITLAB'
  | 'TELEGRAM'
  | 'PADDLE'
  | 'CALENDLY'
  | 'ZENDESK'
  | 'HUBSPOT'
  | 'SQUARE'
  | 'META'
  | 'ZOOM'
  | 'MICROSOFT_GRAPH'
  | 'DISCORD';

export type DigestEncoding = 'hex' | 'base64';
export type HmacAlgorithm = 'SHA256' | 'SHA1' | 'SHA512';
export type SecretEncoding = 'text' | DigestEncoding;

/** Where a request has its signature. Only GENERIC_HMAC uses all of this; TOKEN uses the header and the prefix. */
export interface SignatureForm {
  provider: SignatureScheme;
  /** The header that holds the signature or token. */
  header: string;
  encoding: DigestEncoding;
  /** Text before the signature in the header, such as `sha256=`; empty for none. */
  prefix: string;
  /** The name of the signature in a list such as `t=1,v1=ab`; empty or absent if the header is no list. */
  key?: string;
  algorithm?: HmacAlgorithm;
  /** What is signed, with `{body}`, `{timestamp}`, `{id}`, `{url}` and `{method}`. Default: `{body}`. */
  content?: string;
  /** The header that holds the signed time; empty or absent for that of the signature. */
  timestampHeader?: string;
  /** The name of the time in a list. */
  timestampKey?: string;
  /** The header that holds the id of the event. */
  idHeader?: string;
  secretEncoding?: SecretEncoding;
}

/** What a scheme reads of a request. */
export interface SignedRequest {
  header: HeaderReader;
  body: Buffer;
  /** The public URL that it was sent to, with its query. Called only by the schemes that sign it. */
  url: () => string;
}

/** What a request presents. */
interface Presented {
  /** The signatures, not decoded, without what the scheme puts before them. Empty when something is missing. */
  signatures: string[];
  /** The signed time in seconds since 1970, as text; null if the scheme signs none. */
  seconds: string | null;
  /** What is signed before the body. */
  start: string;
  /** What is signed after the body. */
  end?: string;
}

/** Returns a header by its lower-case name. */
type HeaderReader = (name: string) => string | null;

/** How a signature is made of a secret and the signed text. A token is the secret itself. */
export type Algorithm = 'sha256' | 'sha1' | 'sha512' | 'ed25519' | 'token';

interface Scheme {
  /** The headers that it needs; the signature is in the last. Empty if it is in the body. */
  headers(form: SignatureForm, header: HeaderReader): string[];
  /** Default: SHA-256. */
  algorithm?(form: SignatureForm): Algorithm;
  encoding(form: SignatureForm): DigestEncoding;
  /** What comes before a signature in its header; empty for nothing. */
  mark(form: SignatureForm): string;
  read(request: SignedRequest, form: SignatureForm): Presented;
  key(secret: string, form: SignatureForm): string | Buffer;
}

const PREFIX = 'whsec_';

/** Decodes the signing key of a secret of Standard Webhooks: the base64 after its prefix. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
}

const plainKey = (secret: string) => secret;
const always =
  <T>(value: T) =>
  () =>
    value;

/** A token that is compared with the secret. */
const token = (name: string): Scheme => ({
  headers: always([name]),
  algorithm: always('token'),
  encoding: always('hex'),
  mark: always(''),
  read: ({ header }) => {
    const value = header(name);
    return { signatures: value ? [value] : [], seconds: null, start: '' };
  },
  key: plainKey,
});

/** A signature of the body alone, after a mark. */
const ofBody = (name: string, encoding: DigestEncoding, mark: string): Scheme => ({
  headers: always([name]),
  encoding: always(encoding),
  mark: always(mark),
  read: ({ header }) => {
    const value = header(name);
    return { signatures: value?.startsWith(mark) ? [value.slice(mark.length)] : [], seconds: null, start: '' };
  },
  key: plainKey,
});

/** A list in one header, with a time and signatures: `t=1700000000,v1=ab,v1=cd`. */
const inList = (name: string, form: { time: string; key: string; separator: string; after: string }): Scheme => ({
  headers: always([name]),
  encoding: always('hex'),
  mark: always(`${form.key}=`),
  read: ({ header }) => {
    const parts = (header(name) ?? '').split(form.separator).map((part) => part.trim());
    const valuesOf = (key: string) =>
      parts.flatMap((part) => (part.startsWith(`${key}=`) ? [part.slice(key.length + 1)] : []));
    const [seconds = ''] = valuesOf(form.time);
    return { signatures: valuesOf(form.key), seconds, start: `${seconds}${form.after}` };
  },
  key: plainKey,
});

/** `v0=<hex>` over `v0:timestamp:body`. */
const versioned = (timestamp: string, name: string): Scheme => ({
  headers: always([timestamp, name]),
  encoding: always('hex'),
  mark: always('v0='),
  read: ({ header }) => {
    const seconds = header(timestamp) ?? '';
    const value = header(name) ?? '';
    return { signatures: value.startsWith('v0=') ? [value.slice(3)] : [], seconds, start: `v0:${seconds}:` };
  },
  key: plainKey,
});

const STANDARD_NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const SVIX_NAMES = ['svix-id', 'svix-timestamp', 'svix-signature'];

/** Returns the headers of Standard Webhooks that a request is signed with: Svix sends its own names. The id comes first. */
export function standardNames(header: HeaderReader): string[] {
  return !header('webhook-signature') && header('svix-signature') ? SVIX_NAMES : STANDARD_NAMES;
}

/** The escapes that HubSpot decodes before it signs a URL. */
const HUBSPOT_ESCAPES = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi;
/** A time as Zendesk writes it. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** Returns a time in seconds since 1970, as text, of seconds, milliseconds or ISO 8601; what it cannot read, as it is. */
function toSeconds(time: string): string {
  if (/^\d{13}$/.test(time)) return time.slice(0, -3);
  const at = ISO_TIME.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? time : String(Math.floor(at / 1000));
}

/** How each provider signs. Most use HMAC-SHA-256. */
export const SCHEMES: Record<SignatureScheme, Scheme> = {
  /** Over what the user says, in a header of the user's choice. */
  GENERIC_HMAC: {
    headers: ({ header, timestampHeader, idHeader, content }) =>
      [content?.includes('{id}') ? idHeader : '', timestampHeader, header].flatMap((name) =>
        name ? [name.toLowerCase()] : [],
      ),
    algorithm: ({ algorithm = 'SHA256' }) => HMACS[algorithm],
    encoding: ({ encoding }) => encoding,
    mark: ({ key, prefix }) => (key ? `${key}=` : prefix),
    read: readGeneric,
    key: (secret, { secretEncoding = 'text' }) =>
      secretEncoding === 'text' ? secret : Buffer.from(secret, secretEncoding),
  },

  /** The secret itself, in a header of the user's choice. */
  TOKEN: {
    headers: ({ header }) => [header.toLowerCase()],
    algorithm: always('token'),
    encoding: always('hex'),
    mark: ({ prefix }) => prefix,
    read: ({ header }, form) => {
      const value = header(form.header.toLowerCase());
      const isMarked = value?.startsWith(form.prefix) === true;
      const presented = isMarked ? value.slice(form.prefix.length).trim() : '';
      return { signatures: presented === '' ? [] : [presented], seconds: null, start: '' };
    },
    key: plainKey,
  },

  /** Standard Webhooks 1.0: `v1,<base64>`, several separated by spaces, over `id.timestamp.body`. */
  STANDARD_WEBHOOKS: {
    headers: (_, header) => standardNames(header),
    encoding: always('base64'),
    mark: always('v1,'),
    read: ({ header }) => {
      const [id, seconds, signatures] = standardNames(header).map(header);
      const parts = id && seconds && signatures ? signatures.split(' ') : [];
      return {
        signatures: parts.flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : [])),
        seconds: seconds ?? '',
        start: `${id}.${seconds}.`,
      };
    },
    key: signingKey,
  },

  /** https://docs.stripe.com/webhooks/signature: several v1 during a rotation, over `t.body`. */
  STRIPE: inList('stripe-signature', { time: 't', key: 'v1', separator: ',', after: '.' }),
  /** https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries */
  GITHUB: ofBody('x-hub-signature-256', 'hex', 'sha256='),
  /** https://shopify.dev/docs/apps/build/webhooks/subscribe/https */
  SHOPIFY: ofBody('x-shopify-hmac-sha256', 'base64', ''),
  /** https://docs.slack.dev/authentication/verifying-requests-from-slack */
  SLACK: versioned('x-slack-request-timestamp', 'x-slack-signature'),
  /** https://docs.gitlab.com/user/project/integrations/webhooks: the secret token. Its signing token follows Standard Webhooks. */
  GITLAB: token('x-gitlab-token'),
  /** https://core.telegram.org/bots/api#setwebhook: `secret_token`. */
  TELEGRAM: token('x-telegram-bot-api-secret-token'),
  /** https://developer.paddle.com/webhooks/signature-verification: several h1 during a rotation, over `ts:body`. */
  PADDLE: inList('paddle-signature', { time: 'ts', key: 'h1', separator: ';', after: ':' }),
  /** https://developer.calendly.com/api-docs/ZG9jOjM2MzE2MDM4-webhook-signatures: over `t.body`. */
  CALENDLY: inList('calendly-webhook-signature', { time: 't', key: 'v1', separator: ',', after: '.' }),

  /** https://developer.zendesk.com/documentation/webhooks/verifying: over the time, in ISO 8601, and the body. */
  ZENDESK: {
    headers: always(['x-zendesk-webhook-signature-timestamp', 'x-zendesk-webhook-signature']),
    encoding: always('base64'),
    mark: always(''),
    read: ({ header }) => {
      const time = header('x-zendesk-webhook-signature-timestamp') ?? '';
      const value = header('x-zendesk-webhook-signature');
      return { signatures: value ? [value] : [], seconds: toSeconds(time), start: time };
    },
    key: plainKey,
  },

  /** https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation: version 3. */
  HUBSPOT: {
    headers: always(['x-hubspot-request-timestamp', 'x-hubspot-signature-v3']),
    encoding: always('base64'),
    mark: always(''),
    read: ({ header, url }) => {
      const time = header('x-hubspot-request-timestamp') ?? '';
      const value = header('x-hubspot-signature-v3');
      const uri = url().replaceAll(HUBSPOT_ESCAPES, decodeURIComponent);
      return { signatures: value ? [value] : [], seconds: toSeconds(time), start: `POST${uri}`, end: time };
    },
    key: plainKey,
  },

  /** https://developer.squareup.com/docs/webhooks/step3validate: over the URL and the body. */
  SQUARE: {
    headers: always(['x-square-hmacsha256-signature']),
    encoding: always('base64'),
    mark: always(''),
    read: ({ header, url }) => {
      const value = header('x-square-hmacsha256-signature');
      return { signatures: value ? [value] : [], seconds: null, start: url() };
    },
    key: plainKey,
  },

  /** https://developers.facebook.com/docs/graph-api/webhooks/getting-started: Facebook, Instagram and WhatsApp. */
  META: ofBody('x-hub-signature-256', 'hex', 'sha256='),
  /** https://developers.zoom.us/docs/api/webhooks */
  ZOOM: versioned('x-zm-request-timestamp', 'x-zm-signature'),

  /** https://learn.microsoft.com/graph/change-notifications-delivery-webhooks: `clientState` of each notification in the body. */
  MICROSOFT_GRAPH: {
    headers: always([]),
    algorithm: always('token'),
    encoding: always('hex'),
    mark: always(''),
    read: ({ body }) => ({ signatures: clientStatesIn(body), seconds: null, start: '' }),
    key: plainKey,
  },

  /** https://docs.discord.com/developers/events/webhook-events: Ed25519 over the time and the body. */
  DISCORD: {
    headers: always(['x-signature-timestamp', 'x-signature-ed25519']),
    algorithm: always('ed25519'),
    encoding: always('hex'),
    mark: always(''),
    read: ({ header }) => {
      const seconds = header('x-signature-timestamp') ?? '';
      const value = header('x-signature-ed25519');
      return { signatures: value ? [value] : [], seconds, start: seconds };
    },
    key: (secret) => Buffer.from(secret, 'hex'),
  },
};

const HMACS = { SHA256: 'sha256', SHA1: 'sha1', SHA512: 'sha512' } as const;

/** Returns how a source's signatures are made. */
export function algorithmOf(form: SignatureForm): Algorithm {
  return SCHEMES[form.provider].algorithm?.(form) ?? 'sha256';
}

/** The parts of what is signed that a template may name. */
const PLACEHOLDER = /\{(?:timestamp|id|url|method)\}/g;
/** What separates the items of a list. No signature has these characters. */
const SEPARATORS = /[,;\s]+/;

function readGeneric({ header, url }: SignedRequest, form: SignatureForm): Presented {
  const { prefix, key = '', content = '{body}', timestampHeader = '', timestampKey = '', idHeader = '' } = form;
  const value = header(form.header.toLowerCase()) ?? '';
  const found = key === '' ? [value, ...value.split(/\s+/), ...value.split(/[,;]\s*/)] : valuesInList(value, key);
  const signatures = [...new Set(found)].flatMap((each) =>
    each.startsWith(prefix) ? [each.slice(prefix.length)] : [],
  );
  const isTimed = content.includes('{timestamp}');
  const timed = timestampHeader === '' ? value : (header(timestampHeader.toLowerCase()) ?? '');
  const time = timestampKey === '' ? timed : (valuesInList(timed, timestampKey)[0] ?? '');
  const id = idHeader === '' ? '' : (header(idHeader.toLowerCase()) ?? '');
  const isMissing = value === '' || (isTimed && time === '') || (content.includes('{id}') && id === '');
  const parts: Record<string, () => string> = {
    '{timestamp}': () => time,
    '{id}': () => id,
    '{url}': url,
    '{method}': () => 'POST',
  };
  const fill = (text: string) => text.replaceAll(PLACEHOLDER, (name) => parts[name]?.() ?? '');
  const [before = '', after = ''] = content.split('{body}');
  return {
    signatures: isMissing ? [] : signatures,
    seconds: isTimed ? toSeconds(time) : null,
    start: fill(before),
    end: fill(after),
  };
}

function valuesInList(value: string, key: string): string[] {
  return value.split(SEPARATORS).flatMap((item) => (item.startsWith(`${key}=`) ? [item.slice(key.length + 1)] : []));
}

/** Microsoft Graph proves nothing before its body is read, so strangers choose how long that takes. */
const MAX_PARSED_BYTES = 64 * 1024;
const MAX_CLIENT_STATES = 2_000;
const MAX_CLIENT_STATE_BYTES = 1024;
const CLIENT_STATE = '"clientState"';

/** Returns the `clientState` of the notifications in a body, if all have the same. In a large one it is not checked that each has one. */
function clientStatesIn(body: Buffer): string[] {
  if (body.length > MAX_PARSED_BYTES) return clientStatesByText(body);
  try {
    const { value } = JSON.parse(body.toString('utf8')) as { value?: unknown };
    if (!Array.isArray(value) || value.length === 0) return [];
    const states = value.map((each: unknown) => (each as { clientState?: unknown } | null)?.clientState);
    const [state] = states;
    return typeof state === 'string' && states.every((each) => each === state) ? [state] : [];
  } catch {
    return [];
  }
}

function clientStatesByText(body: Buffer): string[] {
  const states = new Set<string>();
  let count = 0;
  // In a text, its quotes are escaped: what is found is the name of a member.
  for (let at = body.indexOf(CLIENT_STATE); at >= 0; at = body.indexOf(CLIENT_STATE, at + 1)) {
    count += 1;
    const after = body.toString('utf8', at + CLIENT_STATE.length, at + CLIENT_STATE.length + MAX_CLIENT_STATE_BYTES);
    const [, text] = /^\s{0,8}:\s{0,8}("(?:[^"\\]|\\.)*")/.exec(after) ?? [];
    if (text === undefined || count > MAX_CLIENT_STATES || states.add(text).size > 1) return [];
  }
  try {
    return [...states].map((text) => JSON.parse(text) as string);
  } catch {
    return [];
  }
}

/** A sender gives few signatures, one for each of its secrets; a stranger may send many. */
export const MAX_SIGNATURES = 10;

/**
 * Returns what says whether a decoded signature is that of the concatenated parts.
 * @param hmac computes an HMAC
 */
export function signatureOf(
  algorithm: Algorithm,
  key: string | Buffer,
  parts: readonly (string | Buffer)[] = [],
  hmac: HmacOf = hmacOf,
): (signature: Buffer) => boolean {
  if (algorithm === 'token') {
    const expected = digestOf(Buffer.from(key));
    return (presented) => timingSafeEqual(digestOf(presented), expected);
  }
  if (algorithm === 'ed25519') {
    const publicKey = publicKeyOf(Buffer.from(key));
    const signed = Buffer.concat(parts.map((part) => Buffer.from(part)));
    return (signature) => publicKey !== null && verify(null, signed, publicKey, signature);
  }
  const expected = hmac(algorithm, key, ...parts);
  return (signature) => isSameDigest(signature, expected);
}

export type HmacOf = (
  algorithm: Exclude<Algorithm, 'ed25519' | 'token'>,
  key: string | Buffer,
  ...parts: readonly (string | Buffer)[]
) => Buffer;

/** Returns the HMAC of the concatenated parts. */
export function hmacOf(
  algorithm: Exclude<Algorithm, 'ed25519' | 'token'>,
  key: string | Buffer,
  ...parts: readonly (string | Buffer)[]
): Buffer {
  const hmac = createHmac(algorithm, key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** Comparing digests takes the same time whatever the lengths. */
const digestOf = (value: Buffer): Buffer => hash('sha256', value, 'buffer');

/** RFC 8410: what comes before the 32 bytes of a public key of Ed25519. */
const SPKI_START = Buffer.from('302a300506032b6570032100', 'hex');

function publicKeyOf(raw: Buffer) {
  if (raw.length !== 32) return null;
  return createPublicKey({ key: Buffer.concat([SPKI_START, raw]), format: 'der', type: 'spki' });
}

/** Whether two signatures are equal, in time that does not depend on their content. */
function isSameDigest(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The bytes of a signature. A token has any number. */
export const SIGNATURE_BYTES = { sha256: 32, sha1: 20, sha512: 64, ed25519: 64 } as const;

/** Decodes a signature exactly as its scheme writes it; an empty buffer for anything else. */
export function decodeDigest(text: string, encoding: DigestEncoding, algorithm: Algorithm = 'sha256'): Buffer {
  if (algorithm === 'token') return Buffer.from(text);
  const bytes = SIGNATURE_BYTES[algorithm];
  const [form, length] =
    encoding === 'hex' ? [/^[0-9a-f]+$/i, 2 * bytes] : [/^[A-Za-z0-9+/]+={0,2}$/, 4 * Math.ceil(bytes / 3)];
  const decoded = text.length === length && form.test(text) ? Buffer.from(text, encoding) : Buffer.alloc(0);
  return decoded.length === bytes ? decoded : Buffer.alloc(0);
}

/** A signed time may differ from ours by five minutes, either way (docs/specification.md#incoming-events). */
export const TOLERANCE_SECONDS = 5 * 60;

/** Parses a signed time, in whole seconds since 1970; null when it is malformed. */
export function parseSeconds(seconds: string): number | null {
  return /^\d{1,12}$/.test(seconds) ? Number(seconds) : null;
}
