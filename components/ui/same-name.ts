/**
 * Whether a typed name looks like the shown one. Ignores invisible characters, repeated spaces and the composition of
 * accents, since a reader cannot see them.
 */
export function isSameName(typed: string, name: string): boolean {
  return typed === name || (normalize(name) !== '' && normalize(typed) === normalize(name));
}

function normalize(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{DI}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
