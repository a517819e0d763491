import { markedCredentials } from '@/lib/delivery/credentials';
import type { SignatureForm } from '@/lib/delivery/signature-schemes-policy';
import { fieldError } from '@/lib/platform/errors';
import { isCredentialName, REDACTED } from '@/lib/platform/net/credential-names';
import { type HeaderPairs, withoutHopByHopHeaders } from '@/lib/platform/net/header-pairs';
import { VIA_HEADER } from '@/lib/platform/net/via';
import { redactOwnCredentials } from '@/lib/portal/own-credentials';

/** Credentials of the sender's browser or proxy. The provider's is its signature, or a token in a header of another name. */
const CREDENTIALS = new Set(['authorization', 'cookie', 'x-api-key', 'x-platform-admin-token']);
/** Our own, which pass facts from the web entry to Next, except the hops of a delivery. */
const PRIVATE_PREFIX = 'x-eds-';

/**
 * Returns the JSON text of the headers that are kept with an incoming event: pairs of lower-case name and value. A forward from
 * another source does not leave the credential of its destination here, and a provider does not leave its token. Our own credentials are
 * redacted under any name.
 * @param form how the source's requests are signed: the header that it checks keeps a signature, whatever its name, and no token
 * @param token that of the source's URL, which proxies repeat: neither viewers nor the receivers of forwards may learn it
 */
export function keptHeaders(
  headers: HeaderPairs,
  form: Pick<SignatureForm, 'provider' | 'header'> | null,
  token: string,
): string {
  const marked = markedCredentials(headers);
  const isKept = (name: string) =>
    !CREDENTIALS.has(name) && !marked.includes(name) && (name === VIA_HEADER || !name.startsWith(PRIVATE_PREFIX));
  const kept = withoutHopByHopHeaders(headers).filter(([name]) => isKept(name));
  const withoutToken = kept.map(([name, value]): [string, string] => [
    name,
    redactOwnCredentials(value.replaceAll(token, REDACTED)),
  ]);
  const checked = form?.header.toLowerCase() ?? '';
  if (form?.provider !== 'TOKEN') return JSON.stringify(redactCredentialHeaders(withoutToken, checked));
  const redacted = withoutToken.map(([name, value]): [string, string] => [name, name === checked ? REDACTED : value]);
  return JSON.stringify(redactCredentialHeaders(redacted, null));
}

/** Redacts the values of the headers that carry a credential by name, except those of the signature that a source checks. */
export function redactCredentialHeaders(headers: HeaderPairs, signatureHeader: string | null): HeaderPairs {
  const checked = signatureHeader?.toLowerCase();
  return headers.map(([name, value]) => [name, isCredentialName(name) && name !== checked ? REDACTED : value]);
}

const MAX_CHARS = 2_048;

/**
 * Returns the query string that is kept with an incoming event and forwarded: as it was sent, but with every byte that a URL may not
 * have escaped; null without one.
 * @throws AppError validation_failed beyond 2,048 characters: a shortened one would mean something else
 */
export function keptQuery(raw: string): string | null {
  if (raw === '') return null;
  // A character is a byte. "#" would start the fragment of the URL that it is appended to.
  const query = raw.replaceAll(
    /[^\x21\x22\x24-\x7e]/g,
    (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  if (query.length > MAX_CHARS) throw fieldError('query', `must have at most ${MAX_CHARS} characters`);
  return query;
}
