import type { ClientInfo } from '@/lib/platform/client-info';
import { readUserAgent } from '@/lib/platform/user-agent';

/**
 * Describes the client of a request in lines for a mail. Names browser and system from a fixed list only: a
 * User-Agent is the sender's own text, and could put a link of theirs into our mail.
 */
export function describeClient({ ipAddress, userAgent }: ClientInfo): string[] {
  const { browser, system } = readUserAgent(userAgent ?? '');
  const device = [browser, system].filter((name) => name !== null).join(' on ');
  return [...(ipAddress === null ? [] : [`IP address: ${ipAddress}`]), ...(device === '' ? [] : [`Device: ${device}`])];
}
