import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { config } from './config/config';
import { log } from './log';

/*
 * A stored secret: version (1 byte) · key id (4) · nonce (12) · tag (16) · ciphertext, AES-256-GCM.
 * The key id says which entry of ENCRYPTION_KEY encrypted it, so a new first key can be added at any time.
 * The purpose is authenticated: a value that was copied into another column cannot be decrypted.
 */
const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES;

interface EncryptionKey {
  id: Buffer;
  key: Buffer;
}

function encryptionKeys(): EncryptionKey[] {
  return (config().ENCRYPTION_KEY ?? []).map((text) => {
    const key = Buffer.from(text, 'base64');
    return { key, id: createHash('sha256').update('key id').update(key).digest().subarray(0, KEY_ID_BYTES) };
  });
}

/** Encrypts UTF-8 text for one purpose (such as `endpoint-secret`) with the first key of ENCRYPTION_KEY. */
export function encrypt(plaintext: string, purpose: string): Buffer<ArrayBuffer> {
  const first = encryptionKeys()[0];
  if (first === undefined) throw new Error('ENCRYPTION_KEY is not set');
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', first.key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from([VERSION]), first.id, nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts the result of `encrypt` for the same purpose. Throws if it was modified or its key is not in ENCRYPTION_KEY. */
export function decrypt(sealed: Uint8Array, purpose: string): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const id = bytes.subarray(1, 1 + KEY_ID_BYTES);
  const found = encryptionKeys().find((entry) => entry.id.equals(id));
  if (bytes[0] !== VERSION || bytes.length < HEADER_BYTES || found === undefined) {
    throw new Error('a stored secret was encrypted with a key that is not in ENCRYPTION_KEY');
  }
  const nonce = bytes.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', found.key, nonce).setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(HEADER_BYTES - TAG_BYTES, HEADER_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8');
}

/**
 * Decrypts like `decrypt`, for a value that can be replaced: a lost key must not hide the resource that it belongs to.
 * @param about ids for the log
 * @returns null, with a line in the log, when `decrypt` throws
 */
export function decryptOrNull(sealed: Uint8Array, purpose: string, about: Record<string, string>): string | null {
  try {
    return decrypt(sealed, purpose);
  } catch (error) {
    log().error({ err: error, purpose, ...about }, 'stored value cannot be decrypted');
    return null;
  }
}
