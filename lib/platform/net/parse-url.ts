/** The longest host that is read, in characters as written and in ASCII. A domain name has at most 253 (RFC 1035 section 3.1). */
const MAX_HOST_CHARS = 253;

/**
 * Parses an absolute URL that a stranger or a tenant wrote. To convert the letters of a host (punycode, RFC 3492) takes quadratic time, so
 * longer hosts are not parsed.
 * @returns null when it is not an absolute URL, or its host is too long
 */
export function parseUrl(text: string): URL | null {
  if (hasLongHost(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.hostname.length > MAX_HOST_CHARS ? null : url;
}

/** As the URL Standard finds a host: it drops tabs and line breaks, and reads a backslash as a slash. */
function hasLongHost(text: string): boolean {
  const [, authority = ''] = /^[^:/\\?#]*:[/\\]*([^/\\?#]*)/.exec(text.replace(/[\t\n\r]/g, '')) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  return host.length > MAX_HOST_CHARS;
}

/** Returns why a text cannot be the URL of a request over http or https; null if it can. */
export function httpUrlFault(value: string): string | null {
  // A browser's parser drops line breaks and tabs, which lists and files would show.
  if (/\p{Cc}/u.test(value)) return 'must not contain control characters';
  const url = parseUrl(value);
  if (url === null) return 'must be an absolute URL';
  const { protocol, username, password, hash } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return 'must start with https:// or http://';
  if (username !== '' || password !== '') return 'must not contain a username or password';
  return hash === '' ? null : 'must not have a fragment';
}
