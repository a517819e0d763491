import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { decrypt, encrypt } from '@/lib/platform/encryption';

const PURPOSE = 'source-token';

/** Generates the token of a source's URL as stored: a hash to find it and a ciphertext to show it again. */
export function makeSourceToken(): { tokenHash: Buffer<ArrayBuffer>; tokenEncrypted: Buffer<ArrayBuffer> } {
  const token = randomToken();
  return { tokenHash: Buffer.from(sha256(token)), tokenEncrypted: encrypt(token, PURPOSE) };
}

/** Returns the public URL of a source. */
export function sourceUrl(tokenEncrypted: Uint8Array): string {
  return new URL(`/api/v1/ingress/${decrypt(tokenEncrypted, PURPOSE)}`, config().baseUrl).href;
}
