import { isIP } from 'node:net';

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Returns why a text is not a CIDR such as 10.0.0.0/8 or fd00::/8; null if it is one. */
export function findCidrFault(text: string): string | null {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || text.includes('%') || rest.length > 0 || !/^\d{1,3}$/.test(prefix))
    return 'must be a CIDR such as 10.0.0.0/8';
  const most = BITS[family] ?? 0;
  return Number(prefix) > most ? `must have a prefix of at most ${most}` : null;
}

/** Returns why a text is neither an IP address nor a CIDR; null if it is one. */
export function findAddressFault(text: string): string | null {
  if (text.includes('/')) return findCidrFault(text);
  return isIP(text) === 0 || text.includes('%') ? 'must be an address or a CIDR' : null;
}
