/** Replaces the value of a credential in the log. */
export const REDACTED = '[redacted]';

const CREDENTIALS = new Set([
  ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie'],
  // Credentials of this service.
  ...['x-api-key', 'x-platform-admin-token'],
]);
/** Internal headers that pass facts from the web entry to Next. */
const PRIVATE_PREFIX = 'x-eds-';

/** Whether a header carries a credential, which the log must not keep. */
export function isCredentialHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return CREDENTIALS.has(lower) || lower.startsWith(PRIVATE_PREFIX);
}
