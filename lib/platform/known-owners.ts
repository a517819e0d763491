import { hash } from 'node:crypto';
import { MINUTE_MS } from './clock';
import { once } from './globals';

/** About 150 bytes each. The oldest is forgotten. */
const MAX_CREDENTIALS = 20_000;
/** A credential may end at any time, so what is known of it does too. */
const KNOWN_MS = MINUTE_MS;

const owners = () => once('owners-of-credentials', () => new Map<string, { ownerId: string; atMs: number }>());
const nameOf = (credential: string) => hash('sha256', credential, 'base64');

/** Notes whose requests bring a credential that was just found valid, or was just made: an owner of organizations, or a person. */
export function noteOwner(credential: string, ownerId: string): void {
  const known = owners();
  const name = nameOf(credential);
  known.delete(name);
  known.set(name, { ownerId, atMs: performance.now() });
  if (known.size <= MAX_CREDENTIALS) return;
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}

/** Forgets whose requests bring a credential: they count for the networks of their clients. */
export function forgetOwner(credential: string): void {
  owners().delete(nameOf(credential));
}

/** Returns the owner of a credential that was valid in the last minute. */
export function knownOwnerOf(key: string | null | undefined, authorization: string | null | undefined): string | null {
  const bearer = authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : null;
  const credential = key ?? bearer;
  const known = credential === null ? undefined : owners().get(nameOf(credential));
  return known !== undefined && performance.now() - known.atMs < KNOWN_MS ? known.ownerId : null;
}
