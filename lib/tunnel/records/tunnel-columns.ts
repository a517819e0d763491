import ipaddr from 'ipaddr.js';
import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { decryptOrNull, encrypt } from '@/lib/platform/encryption';
import { hashTunnelPassword } from '@/lib/tunnel/access-policy';
import type { TestResponse, UpdateTunnelBody } from '@/lib/tunnel/schema';

/** Returns the columns for the access rules in the body, and none for a rule that it omits. */
export function accessColumns(tunnelId: string, { basicAuth, allowedCidrs }: UpdateTunnelBody) {
  return {
    ...(basicAuth === undefined
      ? {}
      : {
          basicAuthUsername: basicAuth?.username ?? null,
          basicAuthHash: basicAuth === null ? null : hashTunnelPassword(tunnelId, basicAuth.password),
        }),
    ...(allowedCidrs === undefined ? {} : { allowedCidrs: canonicalCidrs(allowedCidrs) }),
  };
}

/**
 * Returns addresses and ranges in canonical form, without duplicates: a range with its network address, a single address as
 * a range of one, and an IPv4-mapped address as IPv4, because client addresses are compared in that form.
 */
export function canonicalCidrs(texts: readonly string[]): string[] {
  return [...new Set(texts.map(canonicalCidr))];
}

function canonicalCidr(text: string): string {
  const [address = '', prefix] = text.split('/');
  const parsed = ipaddr.parse(address);
  const bits = prefix === undefined ? bitsOf(parsed) : Number(prefix);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && bits >= 96) {
    return networkOf(parsed.toIPv4Address(), bits - 96);
  }
  return networkOf(parsed, bits);
}

function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const cidr = `${address.toString()}/${bits}`;
  const network =
    address.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return `${network.toString()}/${bits}`;
}

function bitsOf(address: ipaddr.IPv4 | ipaddr.IPv6): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}

interface TestColumns {
  testStatus: number | null;
  testDelaySeconds: number | null;
}

/** Returns the columns for the test response in the body, and none when it is omitted. */
export function testColumns({ testResponse }: UpdateTunnelBody): Partial<TestColumns> {
  if (testResponse === undefined) return {};
  return { testStatus: testResponse?.status ?? null, testDelaySeconds: testResponse?.delaySeconds ?? null };
}

/** Returns what a test receiver answers; null for a tunnel to a local server. */
export function testResponseOf({ testStatus, testDelaySeconds }: TestColumns): TestResponse | null {
  return testStatus === null ? null : { status: testStatus, delaySeconds: testDelaySeconds ?? 0 };
}

const PURPOSE = 'tunnel-token';

/** Generates the token of a tunnel's URL as stored: a hash to find it and a ciphertext to show it again. */
export function makeTunnelToken(): { tokenHash: Buffer<ArrayBuffer>; tokenEncrypted: Buffer<ArrayBuffer> } {
  const token = randomToken();
  return { tokenHash: Buffer.from(sha256(token)), tokenEncrypted: encrypt(token, PURPOSE) };
}

/**
 * Returns the public URL of a tunnel, on the origin of TUNNEL_BASE_URL if that is set; null when no key of ENCRYPTION_KEY
 * decrypts its token. Ends with a slash.
 */
export function tunnelUrl({ id, tokenEncrypted }: { id: string; tokenEncrypted: Uint8Array }): string | null {
  const { TUNNEL_BASE_URL, baseUrl } = config();
  const token = decryptOrNull(tokenEncrypted, PURPOSE, { tunnelId: id });
  return token === null ? null : `${new URL(TUNNEL_BASE_URL ?? baseUrl).origin}/t/${token}/`;
}
