import { UNSAFE } from './sanitize';

/** As JSON.stringify, but with escapes for the characters that a terminal might obey. JSON itself escapes only some of them. */
export function toJson(value: unknown, indent?: number): string {
  return escapeUnsafe(JSON.stringify(value, null, indent));
}

/** Escapes, in JSON without white space but line breaks, the characters that a terminal might obey. Its meaning stays. */
export function escapeUnsafe(json: string): string {
  return json.replace(UNSAFE, (character) => {
    // The only one between values.
    if (character === '\n') return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
