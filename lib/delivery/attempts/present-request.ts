import { withQuery } from '@/lib/delivery/engine/messages';
import { requestHeaders } from '@/lib/delivery/engine/request-headers';
import type { Message } from '@/lib/delivery/engine/types';
import { parseHeaderLines } from '@/lib/delivery/header-lines';
import type { SentRequest } from '@/lib/delivery/schema';
import { SECOND_MS } from '@/lib/platform/clock';
import { redactQuery, secretsInQuery } from '@/lib/platform/net/credential-names';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { type RedactSignatures, redactSignatureHeaders, signatureRedactor, signaturesIn } from './redact-signatures';

interface Sent {
  /** Null if the target's URL has changed since. */
  url: string | null;
  startedAt: Date;
  /** As stored with the attempt; null if it was not sent, or by a version that did not store them. */
  requestParts: string | null;
}

/** Hides the signatures of a message from those who must not see them. */
export interface SignatureRules {
  /** The header that the source of an incoming event checks; null for an event. */
  chosen: string | null;
}

/**
 * Puts the request of an attempt together, header by header as it was sent. Credentials are redacted. Null if that cannot be done.
 *
 * @param hides redacts the signatures and the secrets of the query too; null shows them
 */
export function presentRequest(
  { url, startedAt, requestParts }: Sent,
  message: Message | undefined,
  hides: SignatureRules | null,
): SentRequest | null {
  if (requestParts === null || message === undefined) return null;
  const { body, query = null } = message;
  const headers: HeaderPairs = [
    ...(url === null ? [] : [['host', new URL(url).host] satisfies [string, string]]),
    ['connection', 'keep-alive'],
    ...Object.entries(sentHeaders(requestParts, message, startedAt)),
    ['content-length', String(body.length)],
  ];
  const text = toText(body);
  return {
    method: 'POST',
    url: url === null ? null : withQuery(url, hides === null || query === null ? query : redactQuery(query)),
    headers: hides === null ? headers : redactSignatureHeaders(headers, hides.chosen),
    body: text,
    bodyBase64: text === null ? body.toString('base64') : null,
  };
}

function sentHeaders(parts: string, message: Message, startedAt: Date): Record<string, string> {
  const [[, userAgent = ''] = [], ...others] = parseHeaderLines(parts).headers;
  const { 'webhook-signature': signature = null, traceparent = null, ...credential } = Object.fromEntries(others);
  const timestamp = Math.floor(startedAt.getTime() / SECOND_MS);
  return requestHeaders(message, { userAgent, credential, timestamp, signature, traceparent });
}

/** Returns a function that redacts the signatures of an attempt, and the secrets of its query, where its receiver repeats them. */
export function redactorOfAttempt(
  requestParts: string | null,
  message: Message | undefined,
  { chosen }: SignatureRules,
): RedactSignatures {
  const stored = requestParts === null ? [] : parseHeaderLines(requestParts).headers;
  const forwarded = message?.kind === 'incoming event' ? Object.entries(message.headers) : [];
  const query = message?.kind === 'incoming event' ? (message.query ?? '') : '';
  return signatureRedactor(signaturesIn([...stored, ...forwarded], chosen), secretsInQuery(query));
}

function toText(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}
