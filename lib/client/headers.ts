/**
 * Returns headers after a check of their values.
 * @throws TypeError that names the header; fetch itself would put the value into its message, which may be a credential
 */
export function checkedHeaders(headers: Readonly<Record<string, string>>): Headers {
  const checked = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new TypeError('A header has a name that is not valid.');
    if (typeof value !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)) {
      throw new TypeError(`${name} must be printable ASCII without spaces at its ends.`);
    }
    checked.set(name, value);
  }
  return checked;
}

/** The version of the service, and so of its client. */
export const VERSION = '0.1.0';

/**
 * Returns the User-Agent header that names this client. Empty in a browser: it has its own name, and a request to another origin
 * would need the server's permission to replace it.
 */
export function userAgent(): { 'User-Agent'?: string } {
  // Node has no navigator before version 21.
  const runtime = (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent ?? '';
  return runtime.startsWith('Mozilla/') ? {} : { 'User-Agent': `event-delivery-client/${VERSION}` };
}
