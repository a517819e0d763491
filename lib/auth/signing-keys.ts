import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { config } from '@/lib/platform/config/config';
import { once } from '@/lib/platform/globals';

/** An Ed25519 key pair, named by the thumbprint of its public key (RFC 7638). */
interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** The DER of a PKCS #8 Ed25519 private key before its 32 bytes of seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Derives the keys from AUTH_SECRET, in its order, once per process: the first signs, all verify. */
export function signingKeys(): readonly SigningKey[] {
  return once('signing-keys', () => (config().AUTH_SECRET ?? []).map(deriveKey));
}

/** Returns the key that signs. */
export function currentSigningKey(): SigningKey {
  const first = signingKeys()[0];
  if (first === undefined) throw new Error('AUTH_SECRET is not set');
  return first;
}

/** Every process of a deployment derives the same pair, so no key is stored or exchanged. */
function deriveKey(secret: string): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, 'event-delivery-service', 'access token Ed25519', 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const { crv, kty, x } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  return { kid, privateKey, publicKey };
}
