import { randomInt } from 'node:crypto';
import { USER_CODE_LENGTH, USER_CODE_LETTERS } from '@/lib/auth/user-code-policy';
import { keyedHash } from '@/lib/platform/keyed-hash';

const FOLDED = new RegExp(`^[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH}}$`);

/** A new user code in its bare form: 8 letters out of 20, some 34 bits. */
export function newUserCode(): string {
  return Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)]).join(
    '',
  );
}

/** A user code as it is shown: XXXX-XXXX. */
export function formatUserCode(userCode: string): string {
  return `${userCode.slice(0, USER_CODE_LENGTH / 2)}-${userCode.slice(USER_CODE_LENGTH / 2)}`;
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
