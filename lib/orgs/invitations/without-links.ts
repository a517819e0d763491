/** Longer names are cut in a mail: this is enough to recognize a name, and too short for a message. */
const MAX_CHARACTERS = 60;

/**
 * Returns another person's text for a mail that we send, on one line and cut to 60 characters. Mail programs turn
 * anything that looks like a link into one (`example.com`, `www.…`, `https://…`, `a@b.c`), so nothing that does is
 * left.
 */
export function withoutLinks(text: string): string {
  const folded = text.normalize('NFKC').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  const characters = [...folded];
  const short = characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join('').trim()}…` : folded;
  return short.replace(/[.。:/\\@](?=\S)/gu, '$& ');
}

/** Returns an address for a mail: unchanged when it can only be read as an address, else as text without links. */
export function addressWithoutLinks(email: string): string {
  return /^[\p{L}\p{M}\p{N}._+-]+@[^@\s]+$/u.test(email) ? email : withoutLinks(email);
}
