import { USER_CODE_LENGTH, USER_CODE_LETTERS } from '@/lib/auth/user-code-policy';

const HALF = USER_CODE_LENGTH / 2;

/** Reads a typed code, in any case and with or without its dash, as `XXXX-XXXX`; null when it is not a user code. */
export function readUserCode(typed: string): string | null {
  const letters = lettersOf(typed);
  const complete =
    letters.length === USER_CODE_LENGTH && [...letters].every((letter) => USER_CODE_LETTERS.includes(letter));
  return complete ? withDash(letters) : null;
}

/** Formats a partly typed code for its field: upper case, with the dash. */
export function formatUserCode(typed: string): string {
  return withDash(lettersOf(typed).slice(0, USER_CODE_LENGTH));
}

function lettersOf(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

function withDash(letters: string): string {
  return letters.length > HALF ? `${letters.slice(0, HALF)}-${letters.slice(HALF)}` : letters;
}
