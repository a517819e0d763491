import * as z from 'zod';
import { decrypt, encrypt } from '@/lib/platform/encryption';

const PURPOSE = 'destination-auth';

/** The credential that a destination asks for, as it is encrypted in the database. */
export const DestinationCredential = z.discriminatedUnion('type', [
  z.object({ type: z.literal('BEARER'), token: z.string() }),
  z.object({ type: z.literal('BASIC'), username: z.string(), password: z.string() }),
  z.object({ type: z.literal('HEADER'), name: z.string(), value: z.string() }),
]);
export type DestinationCredential = z.infer<typeof DestinationCredential>;

/** Encrypts a credential for the database. */
export function sealDestinationAuth(credential: DestinationCredential): Buffer<ArrayBuffer> {
  return encrypt(JSON.stringify(credential), PURPOSE);
}

/** Decrypts the result of `sealDestinationAuth`. @throws Error when no key of ENCRYPTION_KEY decrypts it */
export function openDestinationAuth(sealed: Uint8Array): DestinationCredential {
  return DestinationCredential.parse(JSON.parse(decrypt(sealed, PURPOSE)));
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
