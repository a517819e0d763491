import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { constantTimeEqual } from '@/lib/platform/crypto';
import { decrypt, decryptOrNull, encrypt } from '@/lib/platform/encryption';
import { hmacInPieces } from '@/lib/platform/hmac-in-pieces';
import { keyedHash } from '@/lib/platform/keyed-hash';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { standardKeyOf } from './endpoint-fields-policy';
import type { CustomSignature, EndpointHeaders } from './endpoint-options-policy';

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

/** Returns a secret as one of Standard Webhooks with the same key. */
export function asStandardSecret(secret: string): string {
  return PREFIX + keysOfEndpoint(secret).key.toString('base64');
}

/** The keys of a secret: for the headers of Standard Webhooks, and for a signature of the profile CUSTOM. */
export interface EndpointKeys {
  key: Buffer;
  customKey: Buffer;
}

/** Returns the keys of a secret. One that is not of Standard Webhooks has its bytes as both. */
export function keysOfEndpoint(secret: string): EndpointKeys {
  const customKey = Buffer.from(secret);
  return { key: standardKeyOf(secret) ?? customKey, customKey };
}

const HEADERS_PURPOSE = 'endpoint-headers';

/** Encrypts the headers of an endpoint for the database; null for none. */
export function sealEndpointHeaders(headers: EndpointHeaders): Buffer<ArrayBuffer> | null {
  return Object.keys(headers).length === 0 ? null : encrypt(JSON.stringify(headers), HEADERS_PURPOSE);
}

/** Decrypts the result of `sealEndpointHeaders`. @throws Error when no key of ENCRYPTION_KEY decrypts it */
export function openEndpointHeaders(sealed: Uint8Array): EndpointHeaders {
  return JSON.parse(decrypt(sealed, HEADERS_PURPOSE)) as EndpointHeaders;
}

/** Decrypts the result of `sealEndpointHeaders`; null when no key of ENCRYPTION_KEY decrypts it. */
export function tryOpenEndpointHeaders(sealed: Uint8Array, endpointId: string): EndpointHeaders | null {
  const text = decryptOrNull(sealed, HEADERS_PURPOSE, { endpointId });
  return text === null ? null : (JSON.parse(text) as EndpointHeaders);
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

/**
 * Returns the value of the header of a signature of the profile CUSTOM.
 * @param key the bytes of the present secret
 */
export function signCustom(
  key: Buffer,
  { content, algorithm, encoding, value }: CustomSignature,
  { id, timestamp, body }: { id: string; timestamp: number; body: Buffer },
): string {
  const fill = (text: string) => text.replaceAll('{id}', id).replaceAll('{timestamp}', String(timestamp));
  const [start = '', end = ''] = content.split('{body}').map(fill);
  const hmac = createHmac(algorithm === 'SHA256' ? 'sha256' : 'sha512', key);
  const signature = hmac
    .update(start)
    .update(body)
    .update(end)
    .digest(encoding === 'HEX' ? 'hex' : 'base64');
  return value.replaceAll('{timestamp}', String(timestamp)).replace('{signature}', signature);
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

/** The header of a request that names the headers with credentials. */
const MARK_HEADER = 'x-eds-credential-mark';
const EVENT_HEADER = 'x-eds-incoming-event-id';

/**
 * Returns the headers of a request with a mark on its credentials, so that the service does not log them when it receives its own
 * request, by whatever names (docs/decisions/043-what-is-kept-and-who-sees-it.md). The mark is made with a key of the deployment and
 * covers the values: a receiver that repeats it can hide nothing but these credentials.
 * @param credentials the names of the headers with credentials, in lower case; without any, there is no mark
 */
export function markCredentials(
  headers: Readonly<Record<string, string>>,
  credentials: readonly string[],
): Record<string, string> {
  if (credentials.length === 0) return headers;
  const pairs = Object.entries(headers);
  return { ...headers, [MARK_HEADER]: `${credentials.join()} ${proofOf(credentials, pairs)}` };
}

/** Returns the names of the headers that a received request marks as credentials, in lower case; none without a valid mark. */
export function markedCredentials(headers: HeaderPairs): string[] {
  const [names = '', proof = ''] = headerValue(headers, MARK_HEADER).split(' ');
  if (proof === '') return [];
  const credentials = names.split(',');
  return constantTimeEqual(proof, proofOf(credentials, headers)) ? credentials : [];
}

/** Joins the values of a repeated header: none of them hides next to a marked one. */
function headerValue(headers: HeaderPairs, name: string): string {
  const values = headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
  return values.join(', ');
}

/** No part contains a line break, so different parts never make the same text. */
function proofOf(credentials: readonly string[], headers: HeaderPairs): string {
  const parts = [...credentials, EVENT_HEADER].flatMap((name) => [name, headerValue(headers, name)]);
  return keyedHash(parts.join('\n'), 'credential mark').toString('base64url');
}
