import type { SessionMethod } from '@/lib/platform/prisma/generated/enums';
import { readUserAgent } from '@/lib/platform/user-agent';

interface SessionClient {
  method: SessionMethod;
  clientName: string | null;
  userAgent: string | null;
}

/** The name before the first version or space, as programs send it: `curl/8.5`, `python-requests/2.31`, `node`. */
const PROGRAM = /^(?!Mozilla\b)[A-Za-z][\w.+-]{0,39}(?=[/ ]|$)/;

/**
 * Names the device of a session in words its person recognizes: "Chrome on macOS", "CLI on build-box", "curl". A
 * client that signed in with a device code is called what it called itself.
 */
export function describeDevice({ method, clientName, userAgent }: SessionClient): string {
  if (method === 'DEVICE' && clientName !== null) {
    return /\bcli\b/i.test(clientName) ? clientName : `CLI on ${clientName}`;
  }
  const { browser, system } = readUserAgent(userAgent ?? '');
  if (browser !== null && system !== null) return `${browser.replace(/ for Android$/, '')} on ${system}`;
  const program = PROGRAM.exec(userAgent ?? '')?.[0];
  return browser ?? program ?? (method === 'DEVICE' ? 'CLI' : 'Unknown device');
}
