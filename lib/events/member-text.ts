/**
 * Returns the text of one member of a JSON object exactly as it was sent; null if the object does not have it. If a name is
 * repeated, the last member counts, as in JSON.parse.
 *
 * JSON.parse followed by JSON.stringify would change large numbers and their notation, so receivers would not get what the
 * sender sent (docs/decisions/002-events-keep-the-text-of-data.md).
 * @param json text that JSON.parse accepts
 */
export function memberText(json: string, name: string): string | null {
  let at = skipSpace(json, json.indexOf('{') + 1);
  let found: string | null = null;
  while (json[at] === '"') {
    const keyEnd = skipString(json, at);
    const key: unknown = JSON.parse(json.slice(at, keyEnd));
    const start = skipSpace(json, skipSpace(json, keyEnd) + 1);
    const end = skipValue(json, start);
    if (key === name) found = json.slice(start, end);
    at = skipSpace(json, end);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return found;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** Whether a character is white space between tokens of JSON. */
export const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const isOpening = (code: number) => code === 0x7b || code === 0x5b;
const isClosing = (code: number) => code === 0x7d || code === 0x5d;
const isAfterValue = (code: number) => code === COMMA || isClosing(code) || isSpace(code);

/** Returns the index of what follows the white space at `from`. */
export function skipSpace(json: string, from: number): number {
  let at = from;
  while (isSpace(json.charCodeAt(at))) at++;
  return at;
}

/** Returns the index after the JSON string that starts at `from`. */
export function skipString(json: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const quote = json.indexOf('"', at);
    let backslashes = 0;
    while (json.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** Returns the index after the JSON value that starts at `from`. */
export function skipValue(json: string, from: number): number {
  const first = json.charCodeAt(from);
  if (first === QUOTE) return skipString(json, from);
  let at = from;
  if (!isOpening(first)) {
    while (at < json.length && !isAfterValue(json.charCodeAt(at))) at++;
    return at;
  }
  let depth = 0;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(json, at);
      continue;
    }
    if (isOpening(code)) depth++;
    else if (isClosing(code) && --depth === 0) return at + 1;
    at++;
  }
  return at;
}
