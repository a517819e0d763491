import { randomBytes } from 'node:crypto';
import { makeEndpointSecret } from '@/lib/delivery/credentials';
import type { SignatureEncoding, SourceProvider } from '@/lib/incoming/schema';
import { decrypt, encrypt } from '@/lib/platform/encryption';
import { fieldError } from '@/lib/platform/errors';

const PURPOSE = 'source-secret';

/** Providers that generate the secret, which the user copies. For the others, the user chooses it. */
const MAKES_ITS_SECRET: readonly SourceProvider[] = ['STRIPE', 'SHOPIFY', 'SLACK'];

/** Whether the provider generates the secret. Such a source has none until the user pastes it. */
export function makesItsSecret(provider: SourceProvider): boolean {
  return MAKES_ITS_SECRET.includes(provider);
}

/** Generates a secret for the user to enter at the provider; null if the provider generates it or does not sign. */
export function makeSourceSecret(provider: SourceProvider): string | null {
  if (provider === 'NONE' || makesItsSecret(provider)) return null;
  return provider === 'STANDARD_WEBHOOKS' ? makeEndpointSecret() : randomBytes(32).toString('hex');
}

/** @throws AppError validation_failed when a source of the provider cannot have this secret */
export function checkSourceSecret(provider: SourceProvider, secret: string): void {
  if (provider === 'NONE') throw fieldError('secret', 'is only for a provider that signs');
  const isStandard = /^(whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/.test(secret);
  if (provider === 'STANDARD_WEBHOOKS' && !isStandard) {
    throw fieldError('secret', 'must be whsec_ and the base64 of at least 24 bytes');
  }
}

/** Encrypts the secret of a source for the database. */
export function sealSourceSecret(secret: string): Buffer<ArrayBuffer> {
  return encrypt(secret, PURPOSE);
}

/** Decrypts the result of `sealSourceSecret`. @throws Error when no key of ENCRYPTION_KEY decrypts it */
export function openSourceSecret(sealed: Uint8Array): string {
  return decrypt(sealed, PURPOSE);
}

interface SignatureFields {
  signatureHeader?: string | undefined;
  signatureEncoding?: SignatureEncoding | undefined;
  signaturePrefix?: string | undefined;
}

const DEFAULTS = { signatureHeader: 'X-Signature', signatureEncoding: 'hex', signaturePrefix: '' } as const;

/**
 * Returns where a new source finds its signature. The user chooses that only for a generic HMAC.
 * @throws AppError validation_failed when the provider fixes it
 */
export function signatureFields(provider: SourceProvider, given: SignatureFields) {
  refuseFixedFields(provider, given);
  if (provider !== 'GENERIC_HMAC') return {};
  return {
    signatureHeader: given.signatureHeader ?? DEFAULTS.signatureHeader,
    signatureEncoding: given.signatureEncoding ?? DEFAULTS.signatureEncoding,
    signaturePrefix: given.signaturePrefix ?? DEFAULTS.signaturePrefix,
  };
}

/** @throws AppError validation_failed when the provider fixes a given field */
export function refuseFixedFields(provider: SourceProvider, given: SignatureFields): void {
  if (provider === 'GENERIC_HMAC') return;
  const fixed = (Object.keys(DEFAULTS) as (keyof SignatureFields)[]).find((name) => given[name] !== undefined);
  if (fixed !== undefined) throw fieldError(fixed, 'is only for the provider GENERIC_HMAC');
}
