import { isCredentialName } from './credential-names';

/** How often a text is unescaped: JSON within JSON, and a URL within a URL, escape twice. */
const LEVELS = 3;
/** JSON, strings of programs, URLs and HTML. Each match takes a bounded time: the text may be hostile. */
const ESCAPE =
  /\\+(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2}))?|%([0-9a-f]{2})|&#(?:x([0-9a-f]{1,6})|(\d{1,7}));|&([a-z][a-z0-9]{1,6});/gi;
/** The names of U+00A0 to U+00FF, in order (HTML 4). */
const LATIN = `
  nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro
  para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
  Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
  Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
  igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute
  thorn yuml
`
  .trim()
  .split(/\s+/);
const ENTITIES = new Map<string, string>([
  ...Object.entries({ amp: '&', apos: "'", equals: '=', gt: '>', lt: '<', plus: '+', quot: '"', sol: '/' }),
  ...LATIN.map((name, index): [string, string] => [name, utf8(0xa0 + index)]),
]);
const MAX_CODE_POINT = 0x10ffff;

/** A text without its escapes, and where each of its characters begins in the original; one more place for the end. */
interface Plain {
  text: string;
  starts: Uint32Array;
}

/**
 * Returns a function that replaces secrets in a text that may repeat them in other spellings, as debug pages and error pages do: escaped
 * as JSON, in a URL, as HTML, or in several of these. It takes time in proportion to the text and to the number of secrets, and unescapes
 * the secrets once for all texts. When the search has taken too long, in this text and those before, texts are replaced as a whole, as are
 * those with escapes when the secrets have too many.
 *
 * @param secrets characters, or bytes as latin1, like the texts
 * @param cutChars replaces the start of a secret of this many characters at the end of a text, which was cut there; null for never
 */
export function secretRedactor(
  secrets: readonly string[],
  { replacement, cutChars }: { replacement: string; cutChars: number | null },
): (text: string) => string {
  const spelled = [...new Set(secrets.flatMap(spellingsOf))];
  const spelledByLevel = [spelled];
  let isEscaped: boolean | undefined;
  let cost = 0;
  // What looks like an escape in a secret is unescaped in both.
  const spelledAt = (level: number) => {
    spelledByLevel[level] ??= [
      ...new Set(spelledByLevel[level - 1]?.map((secret) => withoutEscapes(plainOf(secret)).text)),
    ];
    return spelledByLevel[level];
  };
  return (text) => {
    if (cost > MAX_COST) return replacement;
    const ranges: [number, number][] = [];
    let plain = plainOf(text);
    for (let level = 0; ; level += 1) {
      for (const secret of spelledAt(level)) {
        cost += findSecret(plain, secret, cutChars, ranges);
        if (cost > MAX_COST) return replacement;
      }
      if (level === LEVELS || !/[\\%&]/.test(plain.text)) break;
      isEscaped ??= countEscapes(spelled) > MAX_ESCAPES;
      if (isEscaped) return replacement;
      const next = withoutEscapes(plain);
      if (next.text === plain.text) break;
      plain = next;
    }
    return replaceRanges(text, ranges, replacement);
  };
}

/** Escapes of secrets that are unescaped: a fraction of a millisecond for all levels. A password may have some. */
const MAX_ESCAPES = 100;

/** Counts what may begin an escape. */
function countEscapes(secrets: readonly string[]): number {
  return secrets.reduce((sum, secret) => sum + (secret.match(/[\\%&]/g)?.length ?? 0), 0);
}

function plainOf(text: string): Plain {
  const starts = new Uint32Array(text.length + 1);
  for (let at = 0; at <= text.length; at += 1) starts[at] = at;
  return { text, starts };
}

/** @returns what it took, in characters that are searched in the slow way */
function findSecret(
  { text, starts }: Plain,
  secret: string,
  cutChars: number | null,
  ranges: [number, number][],
): number {
  if (secret === '') return 0;
  const add = (from: number, to: number) => ranges.push([starts[from] ?? 0, starts[to] ?? 0]);
  const { places, cost } = placesOf(secret, text);
  for (const at of places) add(at, at + secret.length);
  if (cutChars === null) return cost;
  const end = text.slice(Math.max(0, text.length - secret.length + 1));
  if (!end.includes(secret.slice(0, cutChars))) return cost;
  const { matched } = searchInLinearTime(secret, end);
  if (matched >= cutChars) add(text.length - matched, text.length);
  return cost + end.length;
}

/** `indexOf` takes the time of its text for so many characters. */
const ANCHOR_CHARS = 16;
/** After so many places that begin like a secret and are not it, the rest of the text is searched in linear time. */
const MAX_BEGINNINGS = 16;
/** What the search of all texts of a response may take, in characters that are searched in the slow way: a few milliseconds. */
const MAX_COST = 1_250_000;
/** A search that finds nothing costs as much as so many characters, and so does each place that only begins like the secret. */
const SEARCH_COST = 16;

/**
 * Finds where a secret is in a text. `indexOf` alone would take the product of both lengths where both repeat one letter. So it searches
 * for the beginning only, and where that is too often, the rest of the text is searched in linear time.
 */
function placesOf(secret: string, text: string): { places: number[]; cost: number } {
  const places: number[] = [];
  const anchor = secret.slice(0, ANCHOR_CHARS);
  let beginnings = 0;
  let at = text.indexOf(anchor);
  while (at !== -1 && at + secret.length <= text.length && beginnings < MAX_BEGINNINGS) {
    const isFound = text.startsWith(secret, at);
    if (isFound) places.push(at);
    else beginnings += 1;
    at = text.indexOf(anchor, at + (isFound ? secret.length : 1));
  }
  if (at === -1 || at + secret.length > text.length) return { places, cost: (1 + beginnings) * SEARCH_COST };
  const rest = text.slice(at);
  for (const place of searchInLinearTime(secret, rest).places) places.push(at + place);
  return { places, cost: secret.length + rest.length };
}

/** The algorithm of Knuth, Morris and Pratt. @returns also how many characters at the end of the text begin the secret, without all of it */
function searchInLinearTime(secret: string, text: string): { places: number[]; matched: number } {
  const places: number[] = [];
  const [wanted, bytes] = [Buffer.from(secret, 'latin1'), Buffer.from(text, 'latin1')];
  const borders = new Uint16Array(wanted.length);
  for (let at = 1, matched = 0; at < wanted.length; at += 1) {
    while (matched > 0 && wanted[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (wanted[at] === wanted[matched]) matched += 1;
    borders[at] = matched;
  }
  let matched = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    while (matched > 0 && bytes[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (bytes[at] === wanted[matched]) matched += 1;
    if (matched < wanted.length) continue;
    places.push(at + 1 - matched);
    matched = 0;
  }
  return { places, matched };
}

function withoutEscapes({ text, starts }: Plain): Plain {
  const parts: string[] = [];
  // No escape is shorter than what it means.
  const places = new Uint32Array(text.length + 1);
  let length = 0;
  let copied = 0;
  /** Backslashes belong to the character after them. */
  let from: number | null = null;
  const copy = (to: number) => {
    places.set(starts.subarray(copied, to), length);
    if (from !== null && to > copied) {
      places[length] = from;
      from = null;
    }
    length += to - copied;
    parts.push(text.slice(copied, to));
  };
  for (const match of text.matchAll(ESCAPE)) {
    copy(match.index);
    copied = match.index + match[0].length;
    const decoded = decode(match);
    from ??= starts[match.index] ?? 0;
    if (decoded === '') continue;
    places.fill(from, length, length + decoded.length);
    length += decoded.length;
    from = null;
    parts.push(decoded);
  }
  copy(text.length);
  places[length] = starts[text.length] ?? 0;
  return { text: parts.join(''), starts: places.subarray(0, length + 1) };
}

/** Returns what an escape means, as the bytes of UTF-8; nothing for backslashes before another character. */
function decode([written, json, braced, inString, inUrl, hex, decimal, entity]: RegExpExecArray): string {
  if (entity !== undefined) return ENTITIES.get(entity) ?? ENTITIES.get(entity.toLowerCase()) ?? written;
  const byte = inString ?? inUrl;
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
  const digits = json ?? braced ?? hex;
  if (digits === undefined && decimal === undefined) return '';
  const point = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return point > MAX_CODE_POINT ? written : utf8(point);
}

/** Returns the bytes of a code point, as latin1. Half of a pair, which UTF-8 does not have, gets three bytes of its own (CESU-8). */
function utf8(point: number): string {
  if (point < 0xd800 || point > 0xdfff) return Buffer.from(String.fromCodePoint(point)).toString('latin1');
  return String.fromCharCode(0xed, 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f));
}

/** Returns a secret as it is, as in a form, in other encodings, and as it reads once its pairs of UTF-16 were unescaped one by one. */
function spellingsOf(secret: string): string[] {
  const spelled = [secret, ...encodingsOf(secret)];
  if (secret.includes(' ')) spelled.push(secret.replaceAll(' ', '+'));
  const text = Buffer.from(secret, 'latin1').toString();
  if (!/[\ud800-\udfff]/.test(text)) return spelled;
  const units = text.split('').map((unit) => utf8(unit.charCodeAt(0)));
  return [...spelled, units.join('')];
}

/** 16 bytes in base64. Shorter texts are words rather than bytes. */
const MIN_ENCODED_CHARS = 22;

/** Returns the bytes that a secret spells in hex or base64 in the others of hex in both cases, base64 and base64url, without padding. */
function encodingsOf(secret: string): string[] {
  const digits = secret.replace(/={1,2}$/, '');
  if (digits.length < MIN_ENCODED_CHARS || !/^[\w+/-]+$/.test(digits)) return [];
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(digits);
  const bytes = Buffer.from(digits, isHex ? 'hex' : 'base64');
  const hex = bytes.toString('hex');
  return [hex, hex.toUpperCase(), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}

function replaceRanges(text: string, ranges: [number, number][], replacement: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const [from, to] of ranges.sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (to <= end) continue;
    if (from >= end) parts.push(text.slice(end, from), replacement);
    end = to;
  }
  parts.push(text.slice(end));
  return parts.join('');
}

const REDACTED = '[credential]';
/** A shorter text would also be replaced where it is not the credential. */
const MIN_CHARS = 6;

/**
 * Replaces the credentials of request headers in a response body: debug pages and error pages repeat the request, and whoever may read
 * deliveries would see them. Finds them as sent, without their scheme, in their parts and decoded from Basic, in any usual spelling.
 *
 * @param headers the headers with credentials
 * @param isCut whether reading ended before the body, so that it may end within a credential
 */
export function redactCredentials(body: Buffer, headers: Readonly<Record<string, string>>, isCut: boolean): Buffer {
  const redact = credentialRedactor(headers, isCut);
  // One character for each byte, so that bytes that are not UTF-8 stay as they are.
  return redact === null ? body : Buffer.from(redact(body.toString('latin1')), 'latin1');
}

/** Returns a function that does the same for several texts of one response, with a character for each byte; null without credentials. */
export function credentialRedactor(
  headers: Readonly<Record<string, string>>,
  isCut: boolean,
): ((text: string) => string) | null {
  const credentials = Object.entries(headers).flatMap(formsOf);
  if (credentials.length === 0) return null;
  return secretRedactor(credentials, { replacement: REDACTED, cutChars: isCut ? MIN_CHARS : null });
}

function formsOf([name, value]: [string, string]): string[] {
  const [, scheme = '', rest = ''] = /^(\S+) +(.+)$/.exec(value) ?? [];
  const decoded = scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString() : '';
  // Whoever parses a cookie, or a list such as `id=…, key=…`, repeats its parts.
  const parts = isCredentialName(name) ? value.split(/[=;,\s"]+/) : [];
  const forms = [value, rest, decoded, decoded.slice(decoded.indexOf(':') + 1), ...parts];
  const distinct = [...new Set(forms)].filter((form) => form.length >= MIN_CHARS);
  return distinct.map((form) => Buffer.from(form).toString('latin1'));
}
