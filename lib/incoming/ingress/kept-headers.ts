import { markedCredential } from '@/lib/delivery/credential-mark';
import { PATH_HEADER } from '@/lib/delivery/forward-path';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { withoutHopByHopHeaders } from '@/lib/platform/net/hop-by-hop-headers';

/** Credentials: of the sender's browser or proxy, never of the provider, whose credential is its signature. */
const CREDENTIALS = new Set(['authorization', 'cookie', 'x-api-key', 'x-platform-admin-token']);
/** Our own, which pass facts from the web entry to Next, except the path of a forward. */
const PRIVATE_PREFIX = 'x-eds-';

/**
 * Returns the JSON text of the headers that are kept with an incoming event: pairs of lower-case name and value. A forward from
 * another source does not leave the credential of its destination here.
 */
export function keptHeaders(headers: HeaderPairs): string {
  const marked = markedCredential(headers);
  const isKept = (name: string) =>
    !CREDENTIALS.has(name) && name !== marked && (name === PATH_HEADER || !name.startsWith(PRIVATE_PREFIX));
  return JSON.stringify(withoutHopByHopHeaders(headers).filter(([name]) => isKept(name)));
}
