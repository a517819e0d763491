/**
 * Whether a name was typed as it is shown: a page draws several spaces as one and some characters not at all, and a keyboard
 * composes an accent that another has left apart. None of that can be read off the page, so none of it may be asked for.
 */
export function isSameName(typed: string, name: string): boolean {
  return typed === name || (drawn(name) !== '' && drawn(typed) === drawn(name));
}

function drawn(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{DI}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
