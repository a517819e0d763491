import * as z from 'zod';

/*
 * PostgreSQL's text cannot hold U+0000, and a lone surrogate is not valid UTF-8. Both are refused on input: otherwise the
 * insert would fail with 500.
 */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

const isStorable = (value: string) => !UNSTORABLE.test(value);
const STORABLE_RULE = 'must not contain a null character or half a character';

/** Any text that the database can store and search for. */
export const StorableText = z.string().refine(isStorable, STORABLE_RULE);

/** Copies a part of a longer text, all of which V8 would keep in memory with it. Half a character becomes U+FFFD. */
export const copyText = (part: string): string => Buffer.from(part).toString();

/** Text from a person, trimmed, of 1 to `max` characters. */
export function text(max: number) {
  return z
    .string()
    .trim()
    .min(1, { error: 'must not be empty', abort: true })
    .max(max, `must have at most ${max} characters`)
    .refine(isStorable, STORABLE_RULE);
}

/** Line breaks, control characters, and bidirectional marks, which could make one name look like another. */
const UNNAMEABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** Excludes spaces, marks, joiners, and letters that render as nothing: Hangul fillers, the empty Braille cell. */
const VISIBLE = /[^\s\p{Cf}\p{Mn}\p{DI}\u2800]/u;

/** A name: text on one line, of 1 to 100 characters. */
export const Name = text(100)
  .refine((value) => !UNNAMEABLE.test(value), 'must be one line of text without control characters')
  .refine((value) => VISIBLE.test(value), 'must have a visible character');

/** Replaces characters that PostgreSQL cannot store with U+FFFD. */
export function toStorable(value: string): string {
  return value.replaceAll('\0', '\uFFFD').toWellFormed();
}
