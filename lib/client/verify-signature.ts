import { Webhook } from 'standardwebhooks';

/** The signature of a request does not verify: reject the request. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

/** The headers of a request, as fetch or as Node gives them. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request that this service signed. */
export interface VerifiedWebhook {
  /** The same for each attempt of a delivery: skip the ids that you have processed. */
  id: string;
  /** When this attempt was signed. */
  signedAt: Date;
  /** The body as text, for JSON.parse. */
  body: string;
}

/**
 * Verifies the signature of a request (Standard Webhooks 1.0), and that it was signed in the last five minutes.
 *
 * @param rawBody the body as it was received: JSON that was parsed and written again does not verify
 * @param secret of the endpoint or destination, `whsec_…`
 * @throws SignatureError when the request must be rejected
 * @throws TypeError when the secret is malformed, or the body is neither text nor bytes
 */
export function verifySignature(
  rawBody: string | Uint8Array,
  headers: ReceivedHeaders,
  secret: string,
): VerifiedWebhook {
  const webhook = webhookOf(secret);
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new TypeError('Pass the raw body, as text or bytes: parsed JSON does not verify.');
  }
  const body = typeof rawBody === 'string' ? rawBody : decode(rawBody);
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
  const [id, timestamp, signature] = names.map((name) => headerOf(headers, name)) as [string, string, string];
  if (!/^\d{1,12}$/.test(timestamp)) throw new SignatureError('webhook-timestamp is not in seconds.');
  try {
    const given = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    webhook.verify(body, given, { jsonParse: false });
  } catch (error) {
    throw new SignatureError(error instanceof Error ? error.message : 'The signature does not verify.');
  }
  return { id, signedAt: new Date(Number(timestamp) * 1000), body };
}

function webhookOf(secret: string): Webhook {
  try {
    if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return new Webhook(secret);
  } catch {
    // Its message could contain the secret.
  }
  throw new TypeError('The secret must be the one of the endpoint or destination, whsec_….');
}

function decode(bytes: Uint8Array): string {
  try {
    // The byte order mark is signed too.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SignatureError('The body is not UTF-8.');
  }
}

function headerOf(headers: ReceivedHeaders, name: string): string {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const values = entries.filter(([each]) => each.toLowerCase() === name).flatMap(([, value]) => value ?? []);
  const [value] = values;
  if (value === undefined || value === '' || values.length > 1) throw new SignatureError(`${name} must be given once.`);
  return value;
}
