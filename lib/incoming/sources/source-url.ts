import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { decryptOrNull, encrypt } from '@/lib/platform/encryption';

const PURPOSE = 'source-token';

/** Generates the token of a source's URL as stored: a hash to find it and a ciphertext to show it again. */
export function makeSourceToken(): { tokenHash: Buffer<ArrayBuffer>; tokenEncrypted: Buffer<ArrayBuffer> } {
  const token = randomToken();
  return { tokenHash: Buffer.from(sha256(token)), tokenEncrypted: encrypt(token, PURPOSE) };
}

/** Returns the public URL of a source; null when no key of ENCRYPTION_KEY decrypts its token. */
export function sourceUrl({ id, tokenEncrypted }: { id: string; tokenEncrypted: Uint8Array }): string | null {
  const token = decryptOrNull(tokenEncrypted, PURPOSE, { sourceId: id });
  return token === null ? null : new URL(`/api/v1/ingress/${token}`, config().baseUrl).href;
}
