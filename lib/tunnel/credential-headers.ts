/** What stands in the log for the value of a credential. */
export const REDACTED = '[redacted]';

const CREDENTIALS = new Set([
  ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie'],
  // Our own.
  ...['x-api-key', 'x-platform-admin-token'],
]);
/** Our own: they pass facts from the web entry to Next. */
const PRIVATE_PREFIX = 'x-eds-';

/** Whether a header carries a credential, which the log must not keep. */
export function isCredentialHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return CREDENTIALS.has(lower) || lower.startsWith(PRIVATE_PREFIX);
}
