import type { IncomingMessage } from 'node:http';
import { MINUTE_MS } from '@/lib/platform/clock';
import { constantTimeEqual } from '@/lib/platform/crypto';
import { isId } from '@/lib/platform/ids';
import { keyedHash } from '@/lib/platform/keyed-hash';

/**
 * The header with which this service tells itself whose request it sends to a tunnel: all deliveries come from the addresses of workers,
 * and would count for one network. It only decides which owner's limits apply, and grants nothing. See
 * docs/decisions/008-where-deliveries-may-connect.md.
 */
export const OWNER_HEADER = 'x-eds-owner';
/** Where tunnels are. The header means nothing elsewhere. */
const TUNNELS = '/t/';
/** Before and after it was made, as clocks differ. */
const VALID_MINUTES = 3;
/** Half of a SHA-256. */
const PROOF_CHARS = 22;
/** An owner, or its customers; the minute, and the proof. */
const FORMAT = /^(([0-9a-f-]{36})(~customers)?)\.([0-9]{1,10})\.([\w-]{22})$/;
const MAX_CHARS = 36 + 10 + 1 + 10 + 1 + PROOF_CHARS;

/** Who a request to a tunnel counts for. */
export interface ProvenOwner {
  ownerId: string;
  /** Whether it goes to an endpoint of a customer of the owner. */
  isOfCustomer: boolean;
}

/**
 * Returns the header for a request to a tunnel; none for an owner without an id.
 * @param path with the query
 */
export function ownerHeader(
  path: string,
  { ownerId, isOfCustomer = false }: { ownerId: string; isOfCustomer?: boolean | undefined },
  nowMs = Date.now(),
): Record<string, string> {
  if (!isId(ownerId)) return {};
  const name = isOfCustomer ? `${ownerId}~customers` : ownerId;
  const minute = minuteOf(nowMs);
  return { [OWNER_HEADER]: `${name}.${minute}.${proofOf(path, name, minute)}` };
}

/** Returns the owner that a request to a tunnel counts for, if this deployment sent it some minutes ago at most; else null. */
export function provenOwnerOf(
  { headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>,
  nowMs = Date.now(),
): ProvenOwner | null {
  const value = headers[OWNER_HEADER];
  // Anybody may send anything here, before any budget counts it: most of that costs no hash.
  if (typeof value !== 'string' || value.length > MAX_CHARS || !url.startsWith(TUNNELS)) return null;
  const [, name, ownerId, customers, minute, proof] = FORMAT.exec(value) ?? [];
  if (name === undefined || ownerId === undefined || minute === undefined || proof === undefined) return null;
  if (Math.abs(minuteOf(nowMs) - Number(minute)) > VALID_MINUTES) return null;
  const isProven = constantTimeEqual(proof, proofOf(url, name, Number(minute)));
  return isProven ? { ownerId, isOfCustomer: customers !== undefined } : null;
}

const minuteOf = (ms: number) => Math.floor(ms / MINUTE_MS);

function proofOf(path: string, name: string, minute: number): string {
  const text = `${name} ${minute} ${tunnelOf(path)}`;
  return keyedHash(text, 'owner of a request to a tunnel').toString('base64url').slice(0, PROOF_CHARS);
}

/** Returns the segment that names the tunnel: whoever sees the header may use it for this one only. */
function tunnelOf(path: string): string {
  return /^[^/?#]*/.exec(path.slice(TUNNELS.length))?.[0] ?? '';
}
