import { markedCredential } from '@/lib/delivery/credential-mark';
import { isCredentialName, REDACTED } from '@/lib/platform/net/credential-names';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { withoutHopByHopHeaders } from '@/lib/platform/net/hop-by-hop-headers';
import { VIA_HEADER } from '@/lib/platform/net/via';

/** Credentials of the sender's browser or proxy. The provider's is its signature, or a token in a header of another name. */
const CREDENTIALS = new Set(['authorization', 'cookie', 'x-api-key', 'x-platform-admin-token']);
/** Our own, which pass facts from the web entry to Next, except the hops of a delivery. */
const PRIVATE_PREFIX = 'x-eds-';

/**
 * Returns the JSON text of the headers that are kept with an incoming event: pairs of lower-case name and value. A forward from
 * another source does not leave the credential of its destination here, and a provider does not leave its token.
 * @param signatureHeader the header that the source checks, whatever its name; empty when its provider fixes it
 */
export function keptHeaders(headers: HeaderPairs, signatureHeader: string): string {
  const marked = markedCredential(headers);
  const isKept = (name: string) =>
    !CREDENTIALS.has(name) && name !== marked && (name === VIA_HEADER || !name.startsWith(PRIVATE_PREFIX));
  const kept = withoutHopByHopHeaders(headers).filter(([name]) => isKept(name));
  return JSON.stringify(redactCredentialHeaders(kept, signatureHeader));
}

/** Redacts the values of the headers that carry a credential by name, except those of the signature that a source checks. */
export function redactCredentialHeaders(headers: HeaderPairs, signatureHeader: string | null): HeaderPairs {
  const checked = signatureHeader?.toLowerCase();
  return headers.map(([name, value]) => [name, isCredentialName(name) && name !== checked ? REDACTED : value]);
}
