import * as z from 'zod';
import {
  isOneLine,
  isStorable,
  isVisible,
  MAX_NAME_CHARS,
  ONE_LINE_RULE,
  STORABLE_RULE,
  VISIBLE_RULE,
} from './text-policy';

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

/** A name: text on one line, of 1 to 100 characters. */
export const Name = text(MAX_NAME_CHARS).refine(isOneLine, ONE_LINE_RULE).refine(isVisible, VISIBLE_RULE);

/** Replaces characters that PostgreSQL cannot store with U+FFFD. */
export function toStorable(value: string): string {
  return value.replaceAll('\0', '\uFFFD').toWellFormed();
}
