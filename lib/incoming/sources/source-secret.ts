import { randomBytes } from 'node:crypto';
import { makeEndpointSecret } from '@/lib/delivery/credentials';
import type { SourceProvider } from '@/lib/incoming/schema';
import { decryptOrNull, encrypt } from '@/lib/platform/encryption';
import { AppError, fieldError } from '@/lib/platform/errors';

const PURPOSE = 'source-secret';

/** Providers that generate the secret, which the user copies. For the others, the user chooses it. */
const MAKES_ITS_SECRET: readonly SourceProvider[] = [
  'STRIPE',
  'SHOPIFY',
  'SLACK',
  'PADDLE',
  'ZENDESK',
  'HUBSPOT',
  'SQUARE',
  'META',
  'ZOOM',
  'DISCORD',
];

/** Whether the provider generates the secret. Such a source has none until the user pastes it. */
export function makesItsSecret(provider: SourceProvider): boolean {
  return MAKES_ITS_SECRET.includes(provider);
}

/** Generates a secret for the user to enter at the provider; null if the provider generates it or does not sign. */
export function makeSourceSecret(provider: SourceProvider): string | null {
  if (provider === 'NONE' || makesItsSecret(provider)) return null;
  return provider === 'STANDARD_WEBHOOKS' ? makeEndpointSecret() : randomBytes(32).toString('hex');
}

/** What the secret of a provider must look like, and how to say so. */
const SECRET_FORMS: Partial<Record<SourceProvider, readonly [RegExp, string]>> = {
  STANDARD_WEBHOOKS: [/^(whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and the base64 of at least 24 bytes'],
  TELEGRAM: [/^[A-Za-z0-9_-]{1,256}$/, 'must be 1 to 256 letters, digits, underscores and dashes'],
  MICROSOFT_GRAPH: [/^.{1,128}$/u, 'must be at most 128 characters'],
  DISCORD: [/^[0-9a-f]{64}$/i, 'must be the public key of the app: 64 hexadecimal digits'],
  GITLAB: [/^[\x20-\x7e]+$/, 'must be ASCII characters, which a header can carry'],
  TOKEN: [/^[\x20-\x7e]+$/, 'must be ASCII characters, which a header can carry'],
};

const ENCODED: Partial<Record<string, readonly [RegExp, string]>> = {
  hex: [/^(?:[0-9a-f]{2})+$/i, 'must be hexadecimal digits, as secretEncoding says'],
  base64: [/^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/, 'must be base64, as secretEncoding says'],
};

/**
 * @param encoding that of the secret of a generic HMAC
 * @throws AppError validation_failed when a source of the provider cannot have this secret
 */
export function checkSourceSecret(provider: SourceProvider, secret: string, encoding: string | null = null): void {
  if (provider === 'NONE') throw fieldError('secret', 'is only for a provider that signs');
  const [form, message] = SECRET_FORMS[provider] ?? ENCODED[encoding ?? 'text'] ?? [/(?:)/, ''];
  if (!form.test(secret)) throw fieldError('secret', message);
}

/** Encrypts the secret of a source for the database. */
export function sealSourceSecret(secret: string): Buffer<ArrayBuffer> {
  return encrypt(secret, PURPOSE);
}

/** Decrypts the result of `sealSourceSecret`; null when no key of ENCRYPTION_KEY decrypts it. */
export function tryOpenSourceSecret(sealed: Uint8Array, sourceId: string): string | null {
  return decryptOrNull(sealed, PURPOSE, { sourceId });
}

/** What is wrong with a secret that no key of ENCRYPTION_KEY decrypts. */
export const UNREADABLE_SECRET = 'The secret of this source can’t be read. Set it again.';

/** Decrypts the result of `sealSourceSecret`. @throws AppError conflict when no key of ENCRYPTION_KEY decrypts it */
export function openSourceSecret(sealed: Uint8Array, sourceId: string): string {
  const secret = tryOpenSourceSecret(sealed, sourceId);
  if (secret === null) throw new AppError('conflict', UNREADABLE_SECRET);
  return secret;
}
