/** The letters of a user code (CONTRACT 2): no vowels, so that no word comes of it, and nothing that looks like another. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const HALF = 4;

/** A user code as it was typed, in any case, with or without its dash, as `XXXX-XXXX`; null while it is none. */
export function readUserCode(typed: string): string | null {
  const letters = lettersOf(typed);
  const complete = letters.length === 2 * HALF && [...letters].every((letter) => LETTERS.includes(letter));
  return complete ? withDash(letters) : null;
}

/** What the field shows while a code is typed: capitals, and the dash where it belongs. */
export function layOutUserCode(typed: string): string {
  return withDash(lettersOf(typed).slice(0, 2 * HALF));
}

function lettersOf(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

function withDash(letters: string): string {
  return letters.length > HALF ? `${letters.slice(0, HALF)}-${letters.slice(HALF)}` : letters;
}
