/*
 * PostgreSQL's text cannot hold U+0000, and a lone surrogate is not valid UTF-8. Both are refused on input: otherwise the
 * insert would fail with 500.
 */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Whether the database can store and search for a text. */
export const isStorable = (value: string) => !UNSTORABLE.test(value);

export const STORABLE_RULE = 'must not contain a null character or half a character';

/** Line breaks, control characters, and bidirectional marks, which could make one name look like another. */
const UNNAMEABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** Excludes spaces, marks, joiners, and letters that render as nothing: Hangul fillers, the empty Braille cell. */
const VISIBLE = /[^\s\p{Cf}\p{Mn}\p{DI}\u2800]/u;

/** Whether a text is one line without control characters. */
export const isOneLine = (value: string) => !UNNAMEABLE.test(value);
export const ONE_LINE_RULE = 'must be one line of text without control characters';

/** Whether people see something of a text. */
export const isVisible = (value: string) => VISIBLE.test(value);
export const VISIBLE_RULE = 'must have a visible character';

export const MAX_NAME_CHARS = 100;

/** Returns what is wrong with a text of up to `max` characters; null for nothing. */
export function textFault(value: string, max: number): string | null {
  const text = value.trim();
  if (text === '') return 'must not be empty';
  if (text.length > max) return `must have at most ${max} characters`;
  return isStorable(text) ? null : STORABLE_RULE;
}

/** Returns what is wrong with a name; null for nothing. */
export function nameFault(value: string): string | null {
  const fault = textFault(value, MAX_NAME_CHARS);
  if (fault !== null) return fault;
  if (!isOneLine(value.trim())) return ONE_LINE_RULE;
  return isVisible(value) ? null : VISIBLE_RULE;
}
