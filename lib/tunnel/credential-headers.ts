import { isInternalHeader } from '@/lib/platform/net/service-headers';

/** Replaces the value of a credential in the log. */
export const REDACTED = '[redacted]';

const CREDENTIALS = new Set([
  ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie'],
  // Credentials of this service.
  ...['x-api-key', 'x-platform-admin-token'],
]);

/** Whether a header carries a credential, which the log must not keep. */
export function isCredentialHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return CREDENTIALS.has(lower) || isInternalHeader(lower);
}
