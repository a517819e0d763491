import { randomInt } from 'node:crypto';
import { keyedHash } from '@/lib/platform/keyed-hash';

/** Consonants that no other looks like, and that make no words (RFC 8628 section 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const FOLDED = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** A new user code in its bare form: 8 letters out of 20, some 34 bits. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** A user code as it is shown: XXXX-XXXX. */
export function formatUserCode(userCode: string): string {
  return `${userCode.slice(0, LENGTH / 2)}-${userCode.slice(LENGTH / 2)}`;
}

/** The bare form of a code as it was typed, in any case, with dashes and spaces or without; null for what can be none. */
export function foldUserCode(typed: string): string | null {
  const folded = typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
  return FOLDED.test(folded) ? folded : null;
}

/** What is stored of a user code. Keyed: all 34 bits could be tried against a plain hash in seconds. */
export function hashUserCode(userCode: string): Buffer {
  return keyedHash(userCode, 'device user code');
}
