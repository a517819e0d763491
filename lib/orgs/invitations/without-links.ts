/** A name longer than this is cut in a mail: enough to be known by, too short for a message of its own. */
const MAX_CHARACTERS = 60;

/**
 * What somebody else chose, for a mail that we send in their name: programs that read mail make links of whatever looks
 * like one (`example.com`, `www.…`, `https://…`, `a@b.c`), so nothing is left that does. One line, and not too long.
 */
export function withoutLinks(text: string): string {
  const folded = text.normalize('NFKC').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  const characters = [...folded];
  const short = characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join('').trim()}…` : folded;
  return short.replace(/[.。:/\\@](?=\S)/gu, '$& ');
}

/** An address as a mail may name it: as it is where it can only be read as an address, else as a text without links. */
export function nameAddress(email: string): string {
  return /^[\p{L}\p{M}\p{N}._+-]+@[^@\s]+$/u.test(email) ? email : withoutLinks(email);
}
