import { USER_CODE_LENGTH, USER_CODE_LETTERS } from '@/lib/auth/user-code-policy';

const HALF = USER_CODE_LENGTH / 2;

/** A user code as it was typed, in any case, with or without its dash, as `XXXX-XXXX`; null while it is none. */
export function readUserCode(typed: string): string | null {
  const letters = lettersOf(typed);
  const complete =
    letters.length === USER_CODE_LENGTH && [...letters].every((letter) => USER_CODE_LETTERS.includes(letter));
  return complete ? withDash(letters) : null;
}

/** What the field shows while a code is typed: capitals, and the dash where it belongs. */
export function layOutUserCode(typed: string): string {
  return withDash(lettersOf(typed).slice(0, USER_CODE_LENGTH));
}

function lettersOf(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

function withDash(letters: string): string {
  return letters.length > HALF ? `${letters.slice(0, HALF)}-${letters.slice(HALF)}` : letters;
}
