import { markCredentials, signCustom, signLargeWebhook, signWebhook } from '@/lib/delivery/credentials';
import { SECOND_MS } from '@/lib/platform/clock';
import { type Exchange, postMessage } from '@/lib/platform/net/exchange';
import { describeFailure, ExchangeError } from '@/lib/platform/net/failure-reason';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { credentialRedactor, type RedactCredentials } from '@/lib/platform/net/redact-secrets';
import { storageRoom } from '@/lib/platform/storage-room';
import { toStorable } from '@/lib/platform/text';
import manifest from '@/package.json' with { type: 'json' };
import { sentBody, withQuery } from './messages';
import { keptHeaders, type RequestParts, requestHeaders, storedRequestParts } from './request-headers';
import type { AttemptResult, Message, Target } from './types';

const USER_AGENT = `EventDeliveryService/${manifest.version}`;
const READ_LIMIT_BYTES = 10 * 1024;
const KEPT_OF_SUCCESS_BYTES = 2 * 1024;

export interface AttemptOptions {
  /** The project whose limit the DNS lookup counts against. */
  tenant?: string;
  /** The W3C trace context of the attempt; by default that of the message. */
  traceparent?: string;
  /** Aborts the attempt. */
  signal?: AbortSignal;
}

/** Signs a message and sends it to a target once. Never rejects: a failure is a result. */
export async function makeAttempt(
  pools: HttpPools,
  target: Target,
  message: Message,
  { tenant, signal, traceparent }: AttemptOptions = {},
): Promise<AttemptResult> {
  const startedAt = new Date();
  if (target.fault !== null) return notSent(target.fault, startedAt);
  const { origin, path } = target;
  const valid = validKeys(target, startedAt);
  const keys = valid.map(({ key }) => key);
  const timestamp = Math.floor(startedAt.getTime() / SECOND_MS);
  const { id, largeBytes } = message;
  const body = sentBody(message, target.sendsData);
  const signature =
    largeBytes === undefined
      ? signWebhook(keys, id, timestamp, body)
      : await signLargeWebhook(tenant ?? target.projectId, keys, id, timestamp, body);
  const parts: RequestParts = {
    userAgent: USER_AGENT,
    credential: target.headers,
    timestamp,
    signature: signature || null,
    beside: signatureBeside(target, valid[0]?.customKey, { id, timestamp, body }),
    sendsData: target.sendsData,
    traceparent: traceparent ?? message.traceparent ?? null,
  };
  const exchange = await postMessage(
    pools,
    {
      origin,
      path: withQuery(path, message.query),
      body,
      // Any URL may lead to this service, by a name that it does not know. Its own log must not keep the credentials.
      headers: markCredentials(requestHeaders(message, parts), Object.keys(target.headers)),
      ...(tenant === undefined ? {} : { tenant }),
      isPublicOnly: target.customerId !== null,
    },
    { bodyLimitBytes: READ_LIMIT_BYTES, ...(signal === undefined ? {} : { signal }) },
  );
  const error = failureOf(exchange);
  // What a receiver answers with is most of an attempt's bytes.
  const keepsResponse = !storageRoom().isNearlyFull;
  const redact = credentialRedactor(target.headers);
  return {
    succeeded: error === null,
    responseStatus: exchange.status,
    responseBody: keepsResponse
      ? keptText(withoutCredentials(exchange.body, redact), error === null ? KEPT_OF_SUCCESS_BYTES : READ_LIMIT_BYTES)
      : null,
    error,
    retryAfter: exchange.retryAfter,
    startedAt,
    durationMs: exchange.durationMs,
    hadNoTurn: exchange.error instanceof ExchangeError && exchange.error.code === 'NO_TURN',
    requestParts: storedRequestParts(parts),
    responseHeaders: keepsResponse ? keptHeaders(exchange.headers, redact) : null,
    remoteAddress: exchange.remoteAddress,
    timing: exchange.timing,
  };
}

function validKeys({ signingKeys }: Target, at: Date): Target['signingKeys'] {
  return signingKeys.filter(({ validUntilMs }) => validUntilMs > at.getTime());
}

function signatureBeside(
  { signature }: Target,
  key: Buffer | undefined,
  signed: { id: string; timestamp: number; body: Buffer },
): RequestParts['beside'] {
  if (signature.profile === 'STANDARD' || key === undefined) return null;
  if (signature.profile === 'SVIX') return 'SVIX';
  return { header: signature.header.toLowerCase(), value: signCustom(key, signature, signed) };
}

/** A response that was cut off is a failure, even with status 200: the receiver may not have finished. */
function failureOf({ error, status }: Exchange): string | null {
  if (error !== null) return describeFailure(error);
  if (status !== null && status >= 200 && status < 300) return null;
  return status !== null && status >= 300 && status < 400
    ? `Answered with status ${status}: redirects are not followed`
    : `Answered with status ${status}`;
}

function withoutCredentials(body: Buffer | null, redact: RedactCredentials): Buffer | null {
  return body === null ? null : redact.body(body, body.length >= READ_LIMIT_BYTES);
}

function keptText(body: Buffer | null, limitBytes: number): string | null {
  if (body === null || body.length === 0) return null;
  if (body.length < limitBytes) return toStorable(body.toString('utf8'));
  // `stream` drops an incomplete character at the end instead of replacing it by U+FFFD.
  return toStorable(new TextDecoder().decode(body.subarray(0, limitBytes), { stream: true }));
}

function notSent(error: string, startedAt: Date): AttemptResult {
  return {
    succeeded: false,
    responseStatus: null,
    responseBody: null,
    error,
    retryAfter: null,
    startedAt,
    durationMs: 0,
    requestParts: null,
    responseHeaders: null,
    remoteAddress: null,
    timing: { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null },
  };
}
