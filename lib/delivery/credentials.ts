import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { constantTimeEqual } from '@/lib/platform/crypto';
import { decrypt, decryptOrNull, encrypt } from '@/lib/platform/encryption';
import { hmacInPieces } from '@/lib/platform/hmac-in-pieces';
import { keyedHash } from '@/lib/platform/keyed-hash';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';

const SECRET_PURPOSE = 'endpoint-secret';
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** The columns of a row without secrets. */
export const NO_SECRETS = {
  secretEncrypted: null,
  previousSecretEncrypted: null,
  previousSecretExpiresAt: null,
} as const;

/** Makes a new signing secret as receivers paste it: `whsec_` and the base64 of 32 random bytes. */
export function makeEndpointSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Encrypts a signing secret for the database. */
export function sealEndpointSecret(secret: string): Buffer<ArrayBuffer> {
  return encrypt(secret, SECRET_PURPOSE);
}

/** Decrypts the result of `sealEndpointSecret`. @throws Error when no key of ENCRYPTION_KEY decrypts it */
export function openEndpointSecret(sealed: Uint8Array): string {
  return decrypt(sealed, SECRET_PURPOSE);
}

/** Decrypts the result of `sealEndpointSecret`; null when no key of ENCRYPTION_KEY decrypts it. */
export function tryOpenEndpointSecret(sealed: Uint8Array, endpointId: string): string | null {
  return decryptOrNull(sealed, SECRET_PURPOSE, { endpointId });
}

const AUTH_PURPOSE = 'destination-auth';

/** The credential that a destination asks for, as it is encrypted in the database. */
export const DestinationCredential = z.discriminatedUnion('type', [
  z.object({ type: z.literal('BEARER'), token: z.string() }),
  z.object({ type: z.literal('BASIC'), username: z.string(), password: z.string() }),
  z.object({ type: z.literal('HEADER'), name: z.string(), value: z.string() }),
]);
export type DestinationCredential = z.infer<typeof DestinationCredential>;

/** Encrypts a credential for the database. */
export function sealDestinationAuth(credential: DestinationCredential): Buffer<ArrayBuffer> {
  return encrypt(JSON.stringify(credential), AUTH_PURPOSE);
}

/** Decrypts the result of `sealDestinationAuth`. @throws Error when no key of ENCRYPTION_KEY decrypts it */
export function openDestinationAuth(sealed: Uint8Array): DestinationCredential {
  return DestinationCredential.parse(JSON.parse(decrypt(sealed, AUTH_PURPOSE)));
}

/** Returns the header, with a lower-case name, that carries a credential. */
export function credentialHeader(credential: DestinationCredential): Record<string, string> {
  switch (credential.type) {
    case 'BEARER':
      return { authorization: `Bearer ${credential.token}` };
    case 'BASIC':
      return {
        authorization: `Basic ${Buffer.from(`${credential.username}:${credential.password}`).toString('base64')}`,
      };
    case 'HEADER':
      return { [credential.name.toLowerCase()]: credential.value };
  }
}

/**
 * Returns the value of the header webhook-signature (Standard Webhooks 1.0): an HMAC-SHA-256 of `id.timestamp.body`, one `v1,…`
 * for each key, separated by spaces. During a rotation a receiver can verify with the old or the new secret.
 *
 * @param timestampSeconds the time of this attempt, as in the header webhook-timestamp
 */
export function signWebhook(keys: readonly Buffer[], id: string, timestampSeconds: number, body: Buffer): string {
  const start = `${id}.${timestampSeconds}.`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(start).update(body).digest('base64')}`).join(' ');
}

/** Returns what `signWebhook` does, for a body that would keep the thread busy. @param tenant whose turns the hashing takes */
export async function signLargeWebhook(
  tenant: string,
  keys: readonly Buffer[],
  id: string,
  timestampSeconds: number,
  body: Buffer,
): Promise<string> {
  const parts = [`${id}.${timestampSeconds}.`, body];
  const signatures: string[] = [];
  for (const key of keys) {
    signatures.push(`v1,${(await hmacInPieces(tenant, 'sha256', key, parts)).toString('base64')}`);
  }
  return signatures.join(' ');
}

/** The header of a forward that names the header with the credential of its destination. */
const MARK_HEADER = 'x-eds-credential-mark';
const EVENT_HEADER = 'x-eds-incoming-event-id';

/**
 * Returns the headers of a request with a mark on its credential, so that the service does not log it when it receives its own
 * request, by whatever name (docs/decisions/043-what-is-kept-and-who-sees-it.md). The mark is made with a key of the deployment and
 * covers the value: a receiver that repeats it can hide nothing but that credential.
 * @param credential the name of the header with the credential, in lower case
 */
export function markCredential(headers: Readonly<Record<string, string>>, credential: string): Record<string, string> {
  const proof = proofOf(credential, headers[credential] ?? '', headers[EVENT_HEADER] ?? '');
  return { ...headers, [MARK_HEADER]: `${credential} ${proof}` };
}

/** Returns the name of the header that a received request marks as a credential, in lower case; null without a valid mark. */
export function markedCredential(headers: HeaderPairs): string | null {
  const [credential = '', proof = ''] = headerValue(headers, MARK_HEADER).split(' ');
  if (proof === '') return null;
  const expected = proofOf(credential, headerValue(headers, credential), headerValue(headers, EVENT_HEADER));
  return constantTimeEqual(proof, expected) ? credential : null;
}

/** Joins the values of a repeated header: none of them hides next to a marked one. */
function headerValue(headers: HeaderPairs, name: string): string {
  const values = headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
  return values.join(', ');
}

/** No part contains a line break, so different parts never make the same text. */
function proofOf(credential: string, value: string, incomingEventId: string): string {
  return keyedHash([credential, value, incomingEventId].join('\n'), 'credential mark').toString('base64url');
}
