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
