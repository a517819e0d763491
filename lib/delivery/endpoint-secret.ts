import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@/lib/platform/clock';
import { decrypt, decryptOrNull, encrypt } from '@/lib/platform/encryption';

const PURPOSE = 'endpoint-secret';
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** How long the previous secret stays valid after a rotation, so that the other side can change (docs/specification.md#deliveries). */
export const PREVIOUS_SECRET_MS = DAY_MS;

/** Makes a new signing secret as receivers paste it: `whsec_` and the base64 of 32 random bytes. */
export function makeEndpointSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Encrypts a signing secret for the database. */
export function sealEndpointSecret(secret: string): Buffer<ArrayBuffer> {
  return encrypt(secret, PURPOSE);
}

/** Decrypts the result of `sealEndpointSecret`. @throws Error when no key of ENCRYPTION_KEY decrypts it */
export function openEndpointSecret(sealed: Uint8Array): string {
  return decrypt(sealed, PURPOSE);
}

/** Decrypts the result of `sealEndpointSecret`; null when no key of ENCRYPTION_KEY decrypts it. */
export function tryOpenEndpointSecret(sealed: Uint8Array, endpointId: string): string | null {
  return decryptOrNull(sealed, PURPOSE, { endpointId });
}

/** Decodes the signing key of a secret: the base64 after its prefix. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
}
