import { randomInt } from 'node:crypto';
import { USER_CODE_LENGTH, USER_CODE_LETTERS } from '@/lib/auth/user-code-policy';
import { keyedHash } from '@/lib/platform/keyed-hash';

const FOLDED = new RegExp(`^[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH}}$`);

/** Generates a user code without the dash: 8 out of 20 letters, about 34 bits. */
export function newUserCode(): string {
  return Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)]).join(
    '',
  );
}

/** Formats a user code for display: XXXX-XXXX. */
export function formatUserCode(userCode: string): string {
  return `${userCode.slice(0, USER_CODE_LENGTH / 2)}-${userCode.slice(USER_CODE_LENGTH / 2)}`;
}

/** Removes dashes, spaces and case from a typed code; null when it cannot be a user code. */
export function foldUserCode(typed: string): string | null {
  const folded = typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
  return FOLDED.test(folded) ? folded : null;
}

/** Hashes a user code for storage. Keyed: all 34 bits could be tried against a plain hash in seconds. */
export function hashUserCode(userCode: string): Buffer {
  return keyedHash(userCode, 'device user code');
}
