import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { decryptOrNull, encrypt } from '@/lib/platform/encryption';

const PURPOSE = 'tunnel-token';

/** Generates the token of a tunnel's URL as stored: a hash to find it and a ciphertext to show it again. */
export function makeTunnelToken(): { tokenHash: Buffer<ArrayBuffer>; tokenEncrypted: Buffer<ArrayBuffer> } {
  const token = randomToken();
  return { tokenHash: Buffer.from(sha256(token)), tokenEncrypted: encrypt(token, PURPOSE) };
}

/**
 * Returns the public URL of a tunnel, on the origin of TUNNEL_BASE_URL if that is set; null when no key of ENCRYPTION_KEY
 * decrypts its token. Ends with a slash.
 */
export function tunnelUrl({ id, tokenEncrypted }: { id: string; tokenEncrypted: Uint8Array }): string | null {
  const { TUNNEL_BASE_URL, baseUrl } = config();
  const token = decryptOrNull(tokenEncrypted, PURPOSE, { tunnelId: id });
  return token === null ? null : `${new URL(TUNNEL_BASE_URL ?? baseUrl).origin}/t/${token}/`;
}
