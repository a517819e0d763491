import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * eds_ + 43 base62 characters (32 random bytes) + 6 base62 characters (CRC-32 of the 43). The checksum lets a secret
 * scanner tell a real key from a lookalike, and saves the lookup of a mistyped key.
 */
const PREFIX = 'eds_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORMAT = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** Generates a plaintext key. It is shown once; only its hash is stored. */
export function makeKey(): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH);
  return PREFIX + secret + checksumOf(secret);
}

/** Whether the text has the format of a key and a valid checksum. The key need not exist. */
export function isWellFormedKey(text: string): boolean {
  if (!FORMAT.test(text)) return false;
  const secret = text.slice(PREFIX.length, PREFIX.length + SECRET_LENGTH);
  return text.endsWith(checksumOf(secret));
}

/** The part of a key that may always be shown, so that people can tell keys apart. */
export function hintOf(key: string): string {
  return `${key.slice(0, PREFIX.length + 4)}…${key.slice(-4)}`;
}

function checksumOf(secret: string): string {
  return base62(BigInt(crc32(secret)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let digits = '';
  for (let place = 0; place < length; place++) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits;
}
