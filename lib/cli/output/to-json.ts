import { UNSAFE } from './sanitize';

/** As JSON.stringify, but with escapes for the characters that a terminal might obey. JSON itself escapes only some of them. */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return text.replace(UNSAFE, (character) => {
    // The only one that JSON.stringify puts between values.
    if (character === '\n') return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
