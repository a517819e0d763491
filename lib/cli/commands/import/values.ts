// Reads JSON of another service, which may contain anything.

export type Values = Readonly<Record<string, unknown>>;

export function recordOf(value: unknown): Values | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : null;
}

export const listOf = (value: unknown): unknown[] | null => (Array.isArray(value) ? value : null);

/** Returns a text that is not empty; null for everything else. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Returns a whole number above 0; null for everything else. */
export const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;

/** Whether a value is given, and not null. */
export const isGiven = (value: unknown) => value !== undefined && value !== null;

const MAX_ID_CHARS = 256;

/** Returns an ID that may be kept: a server may send megabytes as one. Null for everything else. */
export function idOf(value: unknown): string | null {
  const text = textOf(value);
  return text === null || text.length > MAX_ID_CHARS ? null : text;
}

/** Returns a text of at most some characters, as a copy: a part of a string keeps all of that string in memory. */
export function cut(text: string, maxChars: number): string {
  const shown = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  return Buffer.from(shown).toString();
}

const MAX_QUOTED_CHARS = 60;

/** Returns a text in quotes for a sentence, cut to some characters. */
export const quoted = (text: string) => `“${cut(text, MAX_QUOTED_CHARS)}”`;

/** Returns how a thing is called whose id may be anything. */
export function labelOf(id: unknown): string {
  const text = textOf(id);
  return text === null ? '(no ID)' : cut(text, MAX_QUOTED_CHARS);
}
