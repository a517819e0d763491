import { randomInt } from 'node:crypto';
import { BACKSLASH, isOpening, type JsonText, OBJECT, QUOTE } from '@/lib/platform/json-bytes';
import { FingerprintMap } from './fingerprint-map';

const [SEED_HIGH, SEED_LOW] = [randomInt(2 ** 32) | 0, randomInt(2 ** 32) | 0];
/** Deeper values, and those with more elements or members, equal none of a filter or schema. The call stack has room for about 2,000 levels. */
const MAX_DEPTH = 256;
const MAX_SIZE = 2_048;
/** As `isSameJson` has it: longer exponents are compared as they are written. */
const MAX_EXPONENT_DIGITS = 15;
/** Arrays and objects of more bytes are read once, also below others that are compared. */
const LARGE_BYTES = 8 * 1024;

const ZERO = 0x30;
const MINUS = 0x2d;
const isDigit = (byte: number) => byte >= ZERO && byte <= 0x39;
const ESCAPES = new Map([...'bfnrt'].map((letter, at) => [letter.charCodeAt(0), '\b\f\n\r\t'.charCodeAt(at)]));

/** Tells what comes next in a fingerprint. No code unit of a string is as large. */
const markOf = (char: string) => 0x10000 + char.charCodeAt(0);
const STRING = markOf('"');
const NUMBER = markOf('0');
const POSITIVE = markOf('+');
const NEGATIVE = markOf('-');
const LONG_POWER = markOf('e');
const ELEMENTS = markOf('[');
const NESTED = markOf('(');
const MEMBERS = markOf('{');

/**
 * Makes numbers of 53 bits of the values in a JSON text, in one pass and without making objects. Two values that are the same
 * (lib/events/same-json.ts) have the same number; two others have it with a probability of 2^-53, whatever a caller sends: the numbers
 * begin with secrets of the process. NaN for a value that is larger than those of a filter.
 */
export class Fingerprinter {
  private readonly bytes: Buffer;
  private high = SEED_HIGH;
  private low = SEED_LOW;
  /** The members of the objects that are being read, by their depth. */
  private readonly members: FingerprintMap[] = [];

  /** @param at where a value or name starts */
  constructor(
    private readonly text: JsonText,
    public at: number,
  ) {
    this.bytes = text.bytes;
  }

  /** Returns the fingerprint of the value that starts here. Goes to its end if it has one. */
  value(): number {
    return this.read(0) ? this.end() : Number.NaN;
  }

  /** Returns the fingerprint of the name that starts here, and goes to the value. */
  name(): number {
    this.begin();
    this.string();
    this.at = this.text.skipSpace(this.text.skipSpace(this.at) + 1);
    return this.end();
  }

  /** Returns which of some fingerprints the elements of the array that starts here have. */
  elements(wanted: FingerprintMap): Set<number> {
    const found = new Set<number>();
    for (let byte = this.skipFirst(); byte !== 0x5d; byte = this.skipSeparator()) {
      const start = this.at;
      if (!this.read(0)) this.at = this.text.skipValue(start);
      else if (wanted.get(this.end()) !== undefined) found.add(this.end());
    }
    return found;
  }

  /** @returns false for a value that is too large */
  private read(depth: number): boolean {
    const byte = this.bytes[this.at] as number;
    if (isOpening(byte)) return this.nested(byte, depth);
    this.begin();
    this.scalar(byte);
    return true;
  }

  private nested(byte: number, depth: number): boolean {
    const { text, at: start } = this;
    const end = text.skipValue(start);
    const isLarge = end - start > LARGE_BYTES;
    const known = isLarge ? text.known.get(start) : undefined;
    if (known === null) return false;
    if (known === undefined) {
      const isRead = depth < MAX_DEPTH && (byte === OBJECT ? this.object(depth) : this.array(depth));
      if (isLarge) text.known.set(start, isRead ? { high: this.high, low: this.low } : null);
      return isRead;
    }
    this.high = known.high;
    this.low = known.low;
    this.at = end;
    return true;
  }

  private begin(): void {
    this.high = SEED_HIGH;
    this.low = SEED_LOW;
  }

  private add(part: number): void {
    const high = Math.imul(this.high ^ part, 0x5bd1e995);
    this.high = high ^ (high >>> 15);
    const low = Math.imul(this.low ^ part, 0x85ebca6b);
    this.low = low ^ (low >>> 13);
  }

  private addNumber(number: number): void {
    this.add(number | 0);
    this.add(Math.floor(number / 2 ** 32));
  }

  private end(): number {
    return this.high * 2 ** 21 + (this.low >>> 11);
  }

  private scalar(byte: number): void {
    if (byte === QUOTE) this.string();
    else if (byte === MINUS || isDigit(byte)) this.number(byte);
    else {
      // true, false and null
      this.add(0x10000 + byte);
      this.at += byte === 0x66 ? 5 : 4;
    }
  }

  /** A string is its UTF-16 code units, as an escape may be half of a character. */
  private string(): void {
    const { bytes } = this;
    this.add(STRING);
    this.at += 1;
    for (let byte = bytes[this.at] as number; byte !== QUOTE; byte = bytes[this.at] as number) {
      this.at += 1;
      if (byte === BACKSLASH) this.escape();
      else if (byte < 0x80) this.add(byte);
      else this.wide(byte);
    }
    this.at += 1;
    this.add(STRING);
  }

  private escape(): void {
    const letter = this.bytes[this.at++] as number;
    if (letter !== 0x75) {
      this.add(ESCAPES.get(letter) ?? letter);
      return;
    }
    let unit = 0;
    for (const end = this.at + 4; this.at < end; this.at += 1) {
      const digit = this.bytes[this.at] as number;
      unit = unit * 16 + (isDigit(digit) ? digit - ZERO : (digit & 0xf) + 9);
    }
    this.add(unit);
  }

  /** Reads the other bytes of a character. */
  private wide(first: number): void {
    const more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    let point = first & (0x3f >> more);
    for (const end = this.at + more; this.at < end; this.at += 1) {
      point = (point << 6) | ((this.bytes[this.at] as number) & 0x3f);
    }
    if (point > 0xffff) {
      this.add(0xd7c0 + (point >> 10));
      point = 0xdc00 | (point & 0x3ff);
    }
    this.add(point);
  }

  /** A number is its digits from the first to the last one that is not zero, and the power of ten of the last. */
  private number(first: number): void {
    const { bytes } = this;
    this.add(NUMBER);
    if (first === MINUS) this.at += 1;
    let [isZero, zeros, power, step] = [true, 0, 0, 0];
    let byte = bytes[this.at] as number;
    for (; isDigit(byte) || byte === 0x2e; byte = bytes[++this.at] as number) {
      if (byte === 0x2e) step = 1;
      else {
        power -= step;
        if (byte !== ZERO) {
          for (; zeros > 0; zeros -= 1) this.add(ZERO);
          this.add(byte);
          isZero = false;
        } else if (!isZero) zeros += 1;
      }
    }
    const exponent = (byte | 0x20) === 0x65 ? this.exponent() : 0;
    if (isZero) {
      this.add(POSITIVE);
      return;
    }
    power += zeros;
    if (typeof exponent === 'number') power += exponent;
    else for (const digit of `E${exponent}`) this.add(markOf(digit));
    if (power !== (power | 0)) {
      this.add(LONG_POWER);
      this.add(Math.floor(power / 2 ** 32));
    }
    this.add(first === MINUS ? NEGATIVE : POSITIVE);
    this.add(power);
  }

  /** Reads an exponent: a number, or the digits of one that is too long. */
  private exponent(): number | string {
    const { bytes } = this;
    this.at += 1;
    const isNegative = bytes[this.at] === MINUS;
    if (!isDigit(bytes[this.at] as number)) this.at += 1;
    while (bytes[this.at] === ZERO) this.at += 1;
    const start = this.at;
    let exponent = 0;
    for (let byte = bytes[start] as number; isDigit(byte); byte = bytes[++this.at] as number) {
      exponent = exponent * 10 + byte - ZERO;
    }
    if (this.at - start <= MAX_EXPONENT_DIGITS) return isNegative ? -exponent : exponent;
    return `${isNegative ? '-' : ''}${bytes.toString('latin1', start, this.at)}`;
  }

  private array(depth: number): boolean {
    this.begin();
    this.add(ELEMENTS);
    let size = 0;
    for (let byte = this.skipFirst(); byte !== 0x5d; byte = this.skipSeparator()) {
      size += 1;
      if (size > MAX_SIZE) return false;
      if (isOpening(byte)) {
        const { high, low } = this;
        if (!this.nested(byte, depth + 1)) return false;
        const { high: innerHigh, low: innerLow } = this;
        this.high = high;
        this.low = low;
        this.add(NESTED);
        this.add(innerHigh);
        this.add(innerLow);
      } else this.scalar(byte);
    }
    this.at += 1;
    this.add(ELEMENTS);
    return true;
  }

  /** The order of members does not matter, and the last one of a name counts. */
  private object(depth: number): boolean {
    this.members[depth] ??= new FingerprintMap();
    const members = this.members[depth];
    members.clear();
    for (let byte = this.skipFirst(); byte !== 0x7d; byte = this.skipSeparator()) {
      const name = this.name();
      if (members.size > MAX_SIZE || !this.read(depth + 1)) return false;
      members.set(name, this.end());
    }
    this.at += 1;
    let [high, low] = [0, 0];
    const { keys, values, size } = members;
    for (let place = 0; place < size; place += 1) {
      this.begin();
      this.addNumber(keys[place] as number);
      this.addNumber(values[place] as number);
      high = (high + this.high) | 0;
      low = (low + this.low) | 0;
    }
    this.begin();
    this.add(MEMBERS);
    this.add(high);
    this.add(low);
    this.add(size);
    return true;
  }

  /** Goes to the first element or member of the array or object that starts here. @returns its byte, or that of the closing bracket */
  private skipFirst(): number {
    this.at = this.text.skipSpace(this.at + 1);
    return this.bytes[this.at] as number;
  }

  /** Goes to the next element or member. @returns its byte, or that of the closing bracket */
  private skipSeparator(): number {
    this.at = this.text.skipSeparator(this.at);
    return this.bytes[this.at] as number;
  }
}
