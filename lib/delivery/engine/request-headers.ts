import { headerLine, joinHeaderLines } from '@/lib/delivery/header-lines';
import { REDACTED } from '@/lib/platform/net/credential-names';
import type { Message } from './types';

/** What the headers of a request need besides its message. */
export interface RequestParts {
  userAgent: string;
  /** The credential of a destination, by lower-case name. */
  credential: Readonly<Record<string, string>>;
  /** In seconds since 1970. */
  timestamp: number;
  /** Null if the target has no secret. */
  signature: string | null;
  /** The W3C trace context of the attempt; null without one. */
  traceparent: string | null;
}

/** Returns the headers of a request by lower-case name, in the order in which they are sent. */
export function requestHeaders(message: Message, parts: RequestParts): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': parts.userAgent, ...message.headers, ...parts.credential };
  if (parts.traceparent !== null) headers.traceparent = parts.traceparent;
  // Without a secret of ours, a forward keeps the signature of its provider, which may use the same headers.
  if (parts.signature === null && message.kind === 'incoming event') return headers;
  headers['webhook-id'] = message.id;
  headers['webhook-timestamp'] = String(parts.timestamp);
  if (parts.signature !== null) headers['webhook-signature'] = parts.signature;
  return headers;
}

/**
 * Returns what later cannot be derived from the event, as it is stored: the version that sent it, the name of the header with the
 * credential, the signature, whose secret may be rotated, and the trace context. The event has all else.
 */
export function storedRequestParts({ userAgent, credential, signature, traceparent }: RequestParts): string {
  const lines = [`user-agent: ${userAgent}`];
  for (const name in credential) lines.push(headerLine(name, REDACTED));
  if (signature !== null) lines.push(`webhook-signature: ${signature}`);
  if (traceparent !== null) lines.push(`traceparent: ${traceparent}`);
  return joinHeaderLines(lines);
}
