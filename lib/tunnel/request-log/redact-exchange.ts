import { redactCredentials } from '@/lib/delivery/engine/redact-credentials';
import { REDACTED } from '@/lib/platform/net/credential-names';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import type { TunnelRequestEntry } from '@/lib/tunnel/types';
import { isEncoded } from './present-request';

type Exchanged = Pick<TunnelRequestEntry, 'requestHeaders' | 'responseHeaders' | 'responseBody'>;

/**
 * Removes the credential of a forward from what the log keeps: its header, and what the local server repeats of it.
 * @param credential the lower-case name of the header; null without a credential
 */
export function redactExchange(exchanged: Exchanged, credential: string | null): Exchanged {
  const { requestHeaders, responseHeaders, responseBody } = exchanged;
  const value = requestHeaders?.find(([name]) => name.toLowerCase() === credential)?.[1];
  if (credential === null || value === undefined) return exchanged;
  const redact = (bytes: Buffer, isCut: boolean) => redactCredentials(bytes, { [credential]: value }, isCut);
  return {
    requestHeaders: redactNamed(requestHeaders, credential),
    responseHeaders:
      responseHeaders?.map(([name, text]) => [name, redact(Buffer.from(text, 'latin1'), false).toString('latin1')]) ??
      null,
    // A compressed body may repeat the credential, too, where it cannot be found.
    responseBody: isEncoded(responseHeaders)
      ? null
      : responseBody && { ...responseBody, bytes: redact(responseBody.bytes, responseBody.truncated) },
  };
}

function redactNamed(headers: HeaderPairs | null, credential: string): HeaderPairs | null {
  return headers?.map(([name, value]) => [name, name.toLowerCase() === credential ? REDACTED : value]) ?? null;
}
