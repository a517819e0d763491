import type { Origin } from '@/lib/platform/origin';
import { readUserAgent } from '@/lib/platform/user-agent';

/**
 * Where a request came from, in lines for a mail. Of the device only names out of a fixed list are said: a User-Agent is
 * the sender's own text, and could put an address of theirs into a mail that we send.
 */
export function describeOrigin({ ipAddress, userAgent }: Origin): string[] {
  const { browser, system } = readUserAgent(userAgent ?? '');
  const device = [browser, system].filter((name) => name !== null).join(' on ');
  return [
    ...(ipAddress === null ? [] : [`From the IP address: ${ipAddress}`]),
    ...(device === '' ? [] : [`With: ${device}`]),
  ];
}
