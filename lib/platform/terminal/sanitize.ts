/** Control characters, and those that change the direction of text. */
const UNSAFE = /[\p{Cc}\u061c\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu;

/**
 * Makes text of others safe for a terminal: escape sequences could move the cursor, hide lines or change the clipboard.
 * Control characters, and those that change the direction of text, become visible escapes such as \x1b.
 */
export function sanitize(text: string): string {
  return text.replace(UNSAFE, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    const code = character.codePointAt(0) ?? 0;
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** As sanitize, for text of several lines. */
export function sanitizeLines(text: string): string {
  return text.split('\n').map(sanitize).join('\n');
}

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
