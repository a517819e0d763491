import {
  algorithmOf,
  decodeDigest,
  type HmacOf,
  MAX_SIGNATURES,
  parseSeconds,
  SCHEMES,
  type SignatureForm,
  type SignatureScheme,
  signatureOf,
  standardNames,
  TOLERANCE_SECONDS,
} from '@/lib/delivery/signature-schemes-policy';
import { SECOND_MS } from '@/lib/platform/clock';
import { membersOf } from './body-members';

/**
 * Whether a request carries the signature of its provider, made with one of the valid secrets, or the secret itself where the
 * provider sends that. If the provider signs a timestamp, it must be within five minutes of our clock.
 * @param hmac computes the HMACs of a large body
 */
export function verifySignature(rule: SignatureRule, request: ReceivedRequest, now: Date, hmac?: HmacOf): boolean {
  const scheme = SCHEMES[rule.provider];
  const { signatures, seconds, start, end = '' } = scheme.read(request, rule);
  if (signatures.length === 0 || (seconds !== null && !isRecent(seconds, now))) return false;
  const algorithm = algorithmOf(rule);
  const presented = signatures
    .slice(0, MAX_SIGNATURES)
    .map((each) => decodeDigest(each, scheme.encoding(rule), algorithm))
    .filter(({ length }) => length > 0);
  if (presented.length === 0) return false;
  let found = false;
  for (const secret of rule.secrets) {
    const isSigned = signatureOf(algorithm, scheme.key(secret, rule), [start, request.body, end], hmac);
    for (const signature of presented) if (isSigned(signature)) found = true;
  }
  return found;
}

/** Whether a signed time, in whole seconds since 1970, is close enough to now. A replayed request fails. */
function isRecent(text: string, now: Date): boolean {
  const seconds = parseSeconds(text);
  return seconds !== null && Math.abs(now.getTime() / SECOND_MS - seconds) <= TOLERANCE_SECONDS;
}

const MAX_CHARS = 255;
const noId = () => null;

/** Where each provider puts the id that stays the same when it retries a request. */
const IDS: Record<SignatureScheme | 'NONE', (request: ReceivedRequest, idHeader: string) => unknown> = {
  NONE: noId,
  GENERIC_HMAC: ({ header }, idHeader) => (idHeader === '' ? null : header(idHeader.toLowerCase())),
  TOKEN: ({ header }, idHeader) => (idHeader === '' ? null : header(idHeader.toLowerCase())),
  STANDARD_WEBHOOKS: ({ header }) => header(standardNames(header)[0] ?? ''),
  STRIPE: ({ body }) => membersOf(body).id,
  GITHUB: ({ header }) => header('x-github-delivery'),
  SHOPIFY: ({ header }) => header('x-shopify-webhook-id'),
  SLACK: ({ body }) => membersOf(body).event_id,
  GITLAB: ({ header }) => header('idempotency-key'),
  TELEGRAM: ({ body }) => membersOf(body).update_id,
  PADDLE: ({ body }) => membersOf(body).notification_id,
  CALENDLY: noId,
  ZENDESK: ({ header }) => header('x-zendesk-webhook-invocation-id'),
  HUBSPOT: noId,
  SQUARE: ({ body }) => membersOf(body).event_id,
  META: noId,
  ZOOM: noId,
  MICROSOFT_GRAPH: noId,
  DISCORD: noId,
};

/**
 * Returns the provider's id of an event, by which retries are recognized; null when it sends none.
 * @param idHeader the header that has it, for a provider that does not fix it; empty for none
 */
export function providerEventIdOf(
  provider: SignatureScheme | 'NONE',
  request: ReceivedRequest,
  idHeader = '',
): string | null {
  const found = IDS[provider](request, idHeader);
  const id = typeof found === 'number' && Number.isSafeInteger(found) ? String(found) : found;
  // PostgreSQL stores no NUL in text, and takes all lone surrogates for the same character: other events would be repeats.
  const isStorable = typeof id === 'string' && !id.includes('\0') && id.isWellFormed();
  return isStorable && id !== '' && id.length <= MAX_CHARS ? id : null;
}

/** A request to a source, as it arrived. */
export interface ReceivedRequest {
  /** Returns a header by its lower-case name. */
  header(name: string): string | null;
  /** The body, byte for byte. */
  body: Buffer;
  /** Returns the public URL that it was sent to, with its query. */
  url(): string;
}

/** How a source checks signatures. */
export interface SignatureRule extends SignatureForm {
  /** The secrets that are valid now: one, or two during a rotation. */
  secrets: readonly string[];
}
