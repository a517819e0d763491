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
