import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { REDACTED } from '@/lib/delivery/engine/kept-headers';
import { requestHeaders } from '@/lib/delivery/engine/request-headers';
import type { Message } from '@/lib/delivery/engine/types';
import { parseHeaderLines } from '@/lib/delivery/header-lines';
import type { SentRequest } from '@/lib/delivery/schema';
import { may } from '@/lib/orgs/permissions-policy';
import { SECOND_MS } from '@/lib/platform/clock';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';

interface Sent {
  /** Null if the target's URL has changed since. */
  url: string | null;
  startedAt: Date;
  /** As stored with the attempt; null if it was not sent, or by a version that did not store them. */
  requestParts: string | null;
}

/**
 * Whether a caller may see signatures: whoever has one can send its event to the receiver again for some minutes. That is what those
 * can do who may read the signing secret.
 */
export function maySeeSignatures(caller: PersonCaller | KeyCaller): boolean {
  if (caller.type === 'key') return caller.scope === 'READ_WRITE';
  return caller.role !== null && may(caller.role, 'endpoint.secret');
}

/**
 * Puts the request of an attempt together, header by header as it was sent. Credentials are redacted. Null if that cannot be done.
 *
 * @param showsSignature false redacts the signature too
 */
export function presentRequest(
  { url, startedAt, requestParts }: Sent,
  message: Message | undefined,
  showsSignature: boolean,
): SentRequest | null {
  if (requestParts === null || message === undefined) return null;
  const { body } = message;
  const headers: HeaderPairs = [
    ...(url === null ? [] : [['host', new URL(url).host] satisfies [string, string]]),
    ['connection', 'keep-alive'],
    ...Object.entries(headersOf(requestParts, message, startedAt, showsSignature)),
    ['content-length', String(body.length)],
  ];
  const text = toText(body);
  return { method: 'POST', url, headers, body: text, bodyBase64: text === null ? body.toString('base64') : null };
}

function headersOf(parts: string, message: Message, startedAt: Date, showsSignature: boolean): Record<string, string> {
  const [[, userAgent = ''] = [], ...others] = parseHeaderLines(parts).headers;
  const { 'webhook-signature': signature = null, traceparent = null, ...credential } = Object.fromEntries(others);
  const timestamp = Math.floor(startedAt.getTime() / SECOND_MS);
  const shown = signature === null || showsSignature ? signature : REDACTED;
  return requestHeaders(message, { userAgent, credential, timestamp, signature: shown, traceparent });
}

function toText(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}
