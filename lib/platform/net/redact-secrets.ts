import { LRUCache } from 'lru-cache';
import { isCredentialName } from './credential-names';

/** How often a text is unescaped: JSON within JSON, and a URL within a URL, escape twice. */
const LEVELS = 3;

/** What the search of all texts of a response may take, in steps of about 6 ns: a millisecond. An ordinary one takes a tenth of it. */
const MAX_STEPS = 150_000;
/** Bytes of a text that are passed in the time of a step. */
const BYTES_OF_STEP = 2;
/** To unescape an escape. */
const ESCAPE_STEPS = 8;
/** To look up which secrets begin with some bytes. */
const LOOKUP_STEPS = 4;
/** To keep where a secret was found, and to sort these places. */
const FOUND_STEPS = 40;

/** A text without its escapes, and where each of its bytes begins in the original, with one more place for the end. Null: there. */
interface Plain {
  bytes: Buffer;
  starts: Uint32Array | null;
}

interface Search {
  ranges: [number, number][];
  /** See `MAX_STEPS`. Negative when the search took too long. */
  stepsLeft: number;
  /** The start of a secret of so many characters counts at the end of the text; null for never. */
  cutChars: number | null;
}

/**
 * Returns a function that replaces secrets in a text that may repeat them in other spellings, as debug pages and error pages do: escaped
 * as JSON, in a URL, as HTML, or in several of these. It reads a text a few times, however many secrets there are, and unescapes the
 * secrets once for all texts. Every step is counted: when the search has taken too long, in this text and those before, texts are
 * replaced as a whole, as are those with escapes when the secrets have too many.
 *
 * @param secrets characters, or bytes as latin1, like the texts
 * @param cutChars at least 4; replaces the start of a secret of this many characters at the end of a text that is cut
 */
export function secretRedactor(secrets: readonly string[], options: RedactorOptions): RedactText {
  return prepareRedactor(secrets, options)();
}

interface RedactorOptions {
  replacement: string;
  cutChars: number;
}

type RedactText = (text: string, isCut: boolean) => string;

/** @returns what begins a search like `secretRedactor`, with steps of its own: to prepare the secrets may take as long as a search */
function prepareRedactor(secrets: readonly string[], { replacement, cutChars }: RedactorOptions): () => RedactText {
  const spelled = secrets.flatMap(spellingsOf);
  const indexes = [indexSecrets(spelled)];
  let isEscaped: boolean | undefined;
  // What looks like an escape in a secret is unescaped in both.
  const indexAt = (level: number): SecretIndex => {
    const known = indexes[level];
    if (known !== undefined) return known;
    const before = indexAt(level - 1);
    const index = before.secrets.some(hasEscapes) ? indexSecrets(before.secrets.map(unescaped)) : before;
    indexes[level] = index;
    return index;
  };
  return () => {
    let stepsLeft = MAX_STEPS;
    return (text, isCut) => {
      if (stepsLeft < 0) return replacement;
      const search: Search = { ranges: [], stepsLeft, cutChars: isCut ? cutChars : null };
      let isHidden = false;
      let plain: Plain | null = { bytes: Buffer.from(text, 'latin1'), starts: null };
      for (let level = 0; plain !== null; level += 1) {
        findSecrets(plain, indexAt(level), search);
        if (level === LEVELS || search.stepsLeft < 0 || !hasEscapes(plain.bytes)) break;
        isEscaped ??= countEscapes(spelled) > MAX_ESCAPES;
        plain = isEscaped ? null : withoutEscapes(plain, search);
        isHidden = isEscaped;
      }
      stepsLeft = search.stepsLeft;
      return isHidden || stepsLeft < 0 ? replacement : replaceRanges(text, search.ranges, replacement);
    };
  };
}

/** Escapes of secrets that are unescaped: a fraction of a millisecond for all levels. A password may have some. */
const MAX_ESCAPES = 100;

/** Counts what may begin an escape. */
function countEscapes(secrets: readonly string[]): number {
  return secrets.reduce((sum, secret) => sum + (secret.match(/[\\%&]/g)?.length ?? 0), 0);
}

const [BACKSLASH, PERCENT, AMPERSAND] = [0x5c, 0x25, 0x26];

/** Whether something may begin an escape. */
function hasEscapes(bytes: Buffer): boolean {
  return bytes.includes(BACKSLASH) || bytes.includes(PERCENT) || bytes.includes(AMPERSAND);
}

function unescaped(bytes: Buffer): Buffer {
  return withoutEscapes({ bytes, starts: null }, { stepsLeft: Number.POSITIVE_INFINITY })?.bytes ?? bytes;
}

/** Secrets by their first bytes, so that one pass through a text finds all of them. */
interface SecretIndex {
  secrets: readonly Buffer[];
  /** The numbers of the secrets that begin with four bytes. */
  beginning: ReadonlyMap<number, readonly number[]>;
  /** Zero for bytes with which no secret begins, by `slotOf`: an array is read many times as fast as a map. */
  slots: Uint8Array;
  /** The numbers of the secrets of fewer bytes. */
  short: readonly number[];
}

const KEY_BYTES = 4;
const SLOT_BITS = 12;
const slotOf = (key: number) => Math.imul(key, 0x9e3779b1) >>> (32 - SLOT_BITS);

function indexSecrets(given: readonly (string | Buffer)[]): SecretIndex {
  const texts = given.map((secret) => (typeof secret === 'string' ? secret : secret.toString('latin1')));
  const secrets = [...new Set(texts)].filter((text) => text !== '').map((text) => Buffer.from(text, 'latin1'));
  const beginning = new Map<number, number[]>();
  const slots = new Uint8Array(1 << SLOT_BITS);
  const short: number[] = [];
  for (const [number, secret] of secrets.entries()) {
    if (secret.length < KEY_BYTES) {
      short.push(number);
      continue;
    }
    const key = secret.readInt32BE();
    slots[slotOf(key)] = 1;
    const others = beginning.get(key);
    if (others === undefined) beginning.set(key, [number]);
    else others.push(number);
  }
  return { secrets, beginning, slots, short };
}

/** Secrets with the same beginning that are passed over in the time of a step. */
const SECRETS_OF_STEP = 4;
/** Once places that only begin like a secret took this part of a search in linear time, the rest of the text is searched in that way. */
const MAX_WASTED = 0.25;

/** Nothing more is to be found of a secret. */
const DONE = 0xffffffff;

/** Finds where secrets are in a text. */
function findSecrets(plain: Plain, { secrets, beginning, slots, short }: SecretIndex, search: Search): void {
  const { bytes } = plain;
  /** Where the search for each secret continues. */
  const from = new Uint32Array(secrets.length);
  /** What places took that only begin like each secret. */
  const wasted = new Uint32Array(secrets.length);
  search.stepsLeft -= bytes.length / BYTES_OF_STEP + secrets.length;
  for (const number of short) findInLinearTime(plain, secrets[number] as Buffer, 0, search);
  let key = 0;
  for (let end = 0; end < bytes.length && search.stepsLeft >= 0; end += 1) {
    key = (key << 8) | (bytes[end] as number);
    if (slots[slotOf(key)] === 0 || end < KEY_BYTES - 1) continue;
    search.stepsLeft -= LOOKUP_STEPS;
    const numbers = beginning.get(key);
    if (numbers === undefined) continue;
    search.stepsLeft -= numbers.length / SECRETS_OF_STEP;
    const at = end + 1 - KEY_BYTES;
    for (const number of numbers) {
      const secret = secrets[number] as Buffer;
      // The start of a secret at the end of the text may begin within another one.
      if (at < (from[number] as number) && (at + secret.length <= bytes.length || from[number] === DONE)) continue;
      if (search.stepsLeft < 0) return;
      const equal = countEqual(secret, bytes, at);
      const steps = LOOKUP_STEPS + equal;
      search.stepsLeft -= steps;
      if (equal === secret.length) {
        add(plain, at, at + equal, search);
        from[number] = at + equal;
      } else if (at + equal === bytes.length) {
        addStart(plain, equal, search);
        from[number] = DONE;
      } else {
        const inAll = (wasted[number] as number) + steps;
        wasted[number] = inAll;
        if (inAll <= (secret.length + bytes.length - at) * MAX_WASTED) continue;
        findInLinearTime(plain, secret, at + 1, search);
        from[number] = DONE;
      }
    }
  }
}

/** Counts the bytes at the start of a secret that a text has at a place. */
function countEqual(secret: Buffer, bytes: Buffer, at: number): number {
  const length = Math.min(secret.length, bytes.length - at);
  let equal = 0;
  while (equal < length && secret[equal] === bytes[at + equal]) equal += 1;
  return equal;
}

function add({ starts }: Plain, from: number, to: number, search: Search): void {
  search.stepsLeft -= FOUND_STEPS;
  search.ranges.push(starts === null ? [from, to] : [starts[from] as number, starts[to] as number]);
}

/** Adds the bytes at the end of a text that begin a secret. */
function addStart(plain: Plain, matched: number, search: Search): void {
  const { length } = plain.bytes;
  if (search.cutChars !== null && matched >= search.cutChars) add(plain, length - matched, length, search);
}

/** Finds where a secret is in a text after a place. The algorithm of Knuth, Morris and Pratt. */
function findInLinearTime(plain: Plain, secret: Buffer, from: number, search: Search): void {
  const { bytes } = plain;
  search.stepsLeft -= secret.length + bytes.length - from;
  if (search.stepsLeft < 0) return;
  const borders = new Uint32Array(secret.length);
  for (let at = 1, matched = 0; at < secret.length; at += 1) {
    while (matched > 0 && secret[at] !== secret[matched]) matched = borders[matched - 1] as number;
    if (secret[at] === secret[matched]) matched += 1;
    borders[at] = matched;
  }
  let matched = 0;
  let foundEnd = from;
  for (let at = from; at < bytes.length; at += 1) {
    while (matched > 0 && bytes[at] !== secret[matched]) matched = borders[matched - 1] as number;
    if (bytes[at] === secret[matched]) matched += 1;
    if (matched < secret.length) continue;
    if (at + 1 - matched >= foundEnd) {
      add(plain, at + 1 - matched, at + 1, search);
      foundEnd = at + 1;
    }
    matched = borders[matched - 1] as number;
  }
  addStart(plain, matched, search);
}

/** Unescapes a text once. @returns null if it has no escapes, or when that took too long */
function withoutEscapes({ bytes, starts }: Plain, search: Pick<Search, 'stepsLeft'>): Plain | null {
  // No escape is shorter than what it means.
  const plain = Buffer.allocUnsafe(bytes.length);
  const places = new Uint32Array(bytes.length + 1);
  let length = 0;
  /** Backslashes belong to the character after them. */
  let from = -1;
  search.stepsLeft -= bytes.length / BYTES_OF_STEP;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    const isPlain = byte !== BACKSLASH && byte !== PERCENT && byte !== AMPERSAND;
    const found = isPlain ? null : readEscape(bytes, at, byte);
    if (from === -1) from = starts === null ? at : (starts[at] as number);
    if (found === null) {
      places[length] = from;
      plain[length] = byte;
      length += 1;
      at += 1;
      from = -1;
      continue;
    }
    search.stepsLeft -= ESCAPE_STEPS;
    if (search.stepsLeft < 0) return null;
    at = found.end;
    if (found.point === null) continue;
    const end = found.isByte ? length + 1 : writeUtf8(plain, length, found.point);
    if (found.isByte) plain[length] = found.point;
    places.fill(from, length, end);
    length = end;
    from = -1;
  }
  if (length === bytes.length) return null;
  places[length] = starts === null ? bytes.length : (starts[bytes.length] as number);
  return { bytes: plain.subarray(0, length), starts: places.subarray(0, length + 1) };
}

interface Escape {
  end: number;
  /** The code point that it means; null for backslashes before another character. */
  point: number | null;
  isByte: boolean;
}

const MAX_CODE_POINT = 0x10ffff;
const [HASH, SEMICOLON, LOWER_U, LOWER_X, OPENING, CLOSING] = [0x23, 0x3b, 0x75, 0x78, 0x7b, 0x7d];
const lower = (byte: number | undefined) => (byte ?? 0) | 0x20;

/** Returns the escape that begins at a place: of JSON, strings of programs, URLs and HTML. Null for none. Looks at few bytes. */
function readEscape(bytes: Buffer, at: number, first: number): Escape | null {
  if (first === BACKSLASH) return readBackslashes(bytes, at);
  if (first === PERCENT) return escapeOf(bytes, { from: at + 1, min: 2, max: 2, isByte: true });
  if (bytes[at + 1] !== HASH) return readEntity(bytes, at);
  const closing = SEMICOLON;
  return lower(bytes[at + 2]) === LOWER_X
    ? escapeOf(bytes, { from: at + 3, min: 1, max: 6, closing })
    : escapeOf(bytes, { from: at + 2, min: 1, max: 7, closing, base: 10 });
}

function readBackslashes(bytes: Buffer, at: number): Escape {
  let end = at + 1;
  while (bytes[end] === BACKSLASH) end += 1;
  const alone: Escape = { end, point: null, isByte: false };
  switch (lower(bytes[end])) {
    case LOWER_X:
      return escapeOf(bytes, { from: end + 1, min: 2, max: 2, isByte: true }) ?? alone;
    case LOWER_U:
      return (
        (bytes[end + 1] === OPENING
          ? escapeOf(bytes, { from: end + 2, min: 1, max: 6, closing: CLOSING })
          : escapeOf(bytes, { from: end + 1, min: 4, max: 4 })) ?? alone
      );
    default:
      return alone;
  }
}

interface Digits {
  from: number;
  min: number;
  max: number;
  /** What follows them. */
  closing?: number;
  base?: 10 | 16;
  isByte?: boolean;
}

function escapeOf(bytes: Buffer, { from, min, max, closing, base = 16, isByte = false }: Digits): Escape | null {
  let at = from;
  let point = 0;
  for (; at < from + max; at += 1) {
    const digit = digitOf(bytes[at] ?? 0);
    if (digit >= base) break;
    point = point * base + digit;
  }
  if (at < from + min || point > MAX_CODE_POINT) return null;
  if (closing === undefined) return { end: at, point, isByte };
  return bytes[at] === closing ? { end: at + 1, point, isByte } : null;
}

/** Returns the value of a digit in hex; a large number for another byte. */
function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = lower(byte) - 0x61;
  return letter >= 0 && letter < 6 ? 10 + letter : 0xff;
}

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
const ASCII = { amp: '&', apos: "'", equals: '=', gt: '>', lt: '<', plus: '+', quot: '"', sol: '/' };
const ENTITIES = new Map<string, number>([
  ...Object.entries(ASCII).map(([name, char]): [string, number] => [name, char.charCodeAt(0)]),
  ...LATIN.map((name, index): [string, number] => [name, 0xa0 + index]),
]);
const MAX_ENTITY_CHARS = 7;
const isInName = (byte: number) => (byte >= 0x30 && byte <= 0x39) || (lower(byte) >= 0x61 && lower(byte) <= 0x7a);

function readEntity(bytes: Buffer, at: number): Escape | null {
  let end = at + 1;
  while (end <= at + MAX_ENTITY_CHARS && isInName(bytes[end] ?? 0)) end += 1;
  if (bytes[end] !== SEMICOLON) return null;
  const name = bytes.toString('latin1', at + 1, end);
  const point = ENTITIES.get(name) ?? ENTITIES.get(name.toLowerCase());
  return point === undefined ? null : { end: end + 1, point, isByte: false };
}

/** Writes a code point as UTF-8. Half of a pair, which UTF-8 does not have, gets three bytes of its own (CESU-8). @returns the end */
function writeUtf8(bytes: Buffer, at: number, point: number): number {
  if (point < 0x80) {
    bytes[at] = point;
    return at + 1;
  }
  const more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  const mark = [0, 0xc0, 0xe0, 0xf0][more] as number;
  bytes[at] = mark | (point >> (6 * more));
  for (let left = more; left > 0; left -= 1) bytes[at + 1 + more - left] = 0x80 | ((point >> (6 * (left - 1))) & 0x3f);
  return at + 1 + more;
}

/** Returns a secret as it is, as in a form, in other encodings, and as it reads once its pairs of UTF-16 were unescaped one by one. */
function spellingsOf(secret: string): string[] {
  const spelled = [secret, ...encodingsOf(secret)];
  if (secret.includes(' ')) spelled.push(secret.replaceAll(' ', '+'));
  const text = Buffer.from(secret, 'latin1').toString();
  if (!/[\ud800-\udfff]/.test(text)) return spelled;
  const units = Buffer.allocUnsafe(3 * text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) length = writeUtf8(units, length, text.charCodeAt(at));
  return [...spelled, units.toString('latin1', 0, length)];
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
/** Texts that are looked for. Where there are more, nothing of a response is kept: a header of 4 KiB may be a list of 600. */
const MAX_FORMS = 200;

/** Replaces the credentials of a request in what a response repeats of them. */
export interface RedactCredentials {
  /** @param text with a character for each byte, such as the value of a header */
  text(text: string): string;
  /** @param isCut whether reading ended before the body, so that it may end within a credential */
  body(body: Buffer, isCut: boolean): Buffer;
}

/**
 * Returns what replaces the credentials of request headers in a response: debug pages and error pages repeat the request, and whoever may
 * read deliveries would see them. Finds them as sent, without their scheme, in their parts and decoded from Basic, in any usual spelling.
 *
 * @param headers the headers with credentials
 */
export function credentialRedactor(headers: Readonly<Record<string, string>>): RedactCredentials {
  if (Object.keys(headers).length === 0) return { text: (text) => text, body: (body) => body };
  const begin = prepared.get(headers) ?? prepareCredentials(headers);
  prepared.set(headers, begin);
  const redact = begin();
  return {
    text: (text) => redact(text, false),
    // One character for each byte, so that bytes that are not UTF-8 stay as they are.
    body: (body, isCut) => Buffer.from(redact(body.toString('latin1'), isCut), 'latin1'),
  };
}

/** By the headers of a target, which many attempts share: up to 20 KB each. */
const prepared = new LRUCache<Readonly<Record<string, string>>, () => RedactText>({ max: 1_000 });

function prepareCredentials(headers: Readonly<Record<string, string>>): () => RedactText {
  const credentials = Object.entries(headers).flatMap(formsOf);
  if (credentials.length === 0) return () => (text) => text;
  if (credentials.length > MAX_FORMS) return () => () => REDACTED;
  return prepareRedactor(credentials, { replacement: REDACTED, cutChars: MIN_CHARS });
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
