import { timingSafeEqual } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { constantTimeEqual, sha256 } from '@/lib/platform/crypto';
import { keyedHash } from '@/lib/platform/keyed-hash';
import type { PublicTunnel } from './types';

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** What a public request presents. */
interface Visitor {
  /** Canonical, as `clientAddressResolver` returns it. */
  clientAddress: string;
  /** The header Authorization. */
  authorization: string | null | undefined;
}

/**
 * Decides whether a request may enter a tunnel. The time it takes does not reveal how much of a credential is right.
 * @returns 'ok', or what is missing: 'address' comes first, so that a stranger cannot try passwords
 */
export function mayEnter(
  { id, basicAuth, allowedCidrs }: PublicTunnel,
  { clientAddress, authorization }: Visitor,
): 'ok' | 'address' | 'credentials' {
  if (allowedCidrs.length > 0 && !isWithin(clientAddress, allowedCidrs)) return 'address';
  if (basicAuth === null) return 'ok';
  const { username, password } = readBasicAuth(authorization ?? '');
  const hasName = constantTimeEqual(username, basicAuth.username);
  const hasPassword = isTunnelPassword(id, password, basicAuth.passwordHash);
  return hasName && hasPassword ? 'ok' : 'credentials';
}

function isWithin(clientAddress: string, cidrs: readonly string[]): boolean {
  if (!ipaddr.isValid(clientAddress)) return false;
  const address = ipaddr.process(clientAddress);
  return rangesOf(cidrs).some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** Parsing fifty ranges takes 0.2 ms, so the ranges of a cached tunnel are parsed once. */
const parsed = new WeakMap<readonly string[], Range[]>();

function rangesOf(cidrs: readonly string[]): Range[] {
  let ranges = parsed.get(cidrs);
  if (ranges === undefined) {
    ranges = cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
    parsed.set(cidrs, ranges);
  }
  return ranges;
}

/** Splits at the first colon: a password may contain one (RFC 7617 section 2). Returns empty strings for another scheme. */
function readBasicAuth(authorization: string): { username: string; password: string } {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization)?.[1] ?? '';
  const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { username, password: rest.join(':') };
}

/**
 * Hashes the password of a tunnel's basic authentication. Uses a keyed hash instead of bcrypt, because every public request
 * is checked (docs/decisions/036-tunnels.md).
 */
export function hashTunnelPassword(tunnelId: string, password: string): Buffer<ArrayBuffer> {
  return Buffer.from(keyedHash(`${tunnelId}\0${password}`, 'tunnel password'));
}

/** Whether the password has this hash. Compares in constant time. */
export function isTunnelPassword(tunnelId: string, password: string, passwordHash: Uint8Array): boolean {
  return timingSafeEqual(sha256Of(hashTunnelPassword(tunnelId, password)), sha256Of(passwordHash));
}

/** Hashes to a fixed length, which `timingSafeEqual` requires. */
function sha256Of(bytes: Uint8Array): Buffer {
  return sha256(Buffer.from(bytes).toString('hex'));
}
