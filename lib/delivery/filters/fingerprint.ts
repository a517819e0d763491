import { randomInt } from 'node:crypto';
import { isSpace, skipValue } from '@/lib/events/member-text';

const [SEED_HIGH, SEED_LOW] = [randomInt(2 ** 32), randomInt(2 ** 32)];
/** Deeper values are the same as none: those of a filter are of at most 4 KiB. */
const MAX_DEPTH = 2_048;
/** A double has whole numbers of as many digits exactly. */
const MAX_EXACT_DIGITS = 15;
/** As `isSameJson` has it: longer exponents are compared as they are written. */
const MAX_EXPONENT_DIGITS = 15;
/** Arrays and objects of more characters are read once, also below others that are compared. */
const LARGE_CHARS = 8 * 1024;
/** Members of an object that are looked through one by one to find a repeated name. */
const FEW_MEMBERS = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const isDigit = (code: number) => code >= ZERO && code <= 0x39;
const ESCAPES = new Map([...'bfnrt'].map((letter, at) => [letter.charCodeAt(0), '\b\f\n\r\t'.charCodeAt(at)]));

/** The fingerprint of an array or object, and where it ends. */
export interface Known {
  fingerprint: number;
  end: number;
}

/**
 * Makes numbers of 53 bits of the values in a JSON text that JSON.parse accepts, in one pass and without making objects. Two values that are
 * the same (lib/events/same-json.ts) have the same number; two others have it with a probability of 2^-53, whatever a caller sends: the
 * numbers begin with secrets of the process. NaN for a value that is too deep.
 */
export class Fingerprinter {
  private high = 0;
  private low = 0;

  /** @param known large arrays and objects of the text by where they start, for all of its Fingerprinters */
  constructor(
    private readonly json: string,
    private at: number,
    private readonly known: Map<number, Known>,
  ) {}

  /** Returns the fingerprint of the value that starts here, and goes to its end. */
  next(): number {
    return this.value(0);
  }

  /** Returns the fingerprints of the elements of the array that starts here. */
  elements(): Set<number> {
    const found = new Set<number>();
    this.at += 1;
    for (let code = this.skipSpace(); code !== 0x5d; code = this.skipSeparator()) {
      const start = this.at;
      const element = this.value(1);
      if (Number.isNaN(element)) this.at = skipValue(this.json, start);
      else found.add(element);
    }
    return found;
  }

  private value(depth: number): number {
    if (depth > MAX_DEPTH) return Number.NaN;
    const code = this.json.charCodeAt(this.at);
    switch (code) {
      case QUOTE:
        return this.string();
      case 0x7b:
      case 0x5b:
        return this.nested(code, depth);
      // true, false and null
      case 0x74:
      case 0x66:
      case 0x6e:
        this.at += code === 0x66 ? 5 : 4;
        return this.begin(code).end();
      default:
        return this.number();
    }
  }

  private nested(code: number, depth: number): number {
    const start = this.at;
    const known = this.known.get(start);
    if (known !== undefined) {
      this.at = known.end;
      return known.fingerprint;
    }
    const fingerprint = code === 0x7b ? this.object(depth) : this.array(depth);
    if (this.at - start > LARGE_CHARS) this.known.set(start, { fingerprint, end: this.at });
    return fingerprint;
  }

  private begin(tag: number): this {
    this.high = SEED_HIGH;
    this.low = SEED_LOW;
    return this.add(tag);
  }

  private add(part: number): this {
    this.high = Math.imul(this.high ^ part, 0x5bd1e995);
    this.high ^= this.high >>> 15;
    this.low = Math.imul(this.low ^ part, 0x85ebca6b);
    this.low ^= this.low >>> 13;
    return this;
  }

  private addNumber(number: number): this {
    return this.add(number | 0).add(Math.floor(number / 2 ** 32));
  }

  private end(): number {
    return (this.high | 0) * 2 ** 21 + (this.low >>> 11);
  }

  private string(): number {
    this.begin(QUOTE);
    this.at += 1;
    for (;;) {
      const code = this.json.charCodeAt(this.at++);
      if (code === QUOTE) return this.end();
      this.add(code === BACKSLASH ? this.escaped() : code);
    }
  }

  private escaped(): number {
    const code = this.json.charCodeAt(this.at++);
    if (code !== 0x75) return ESCAPES.get(code) ?? code;
    this.at += 4;
    return Number.parseInt(this.json.slice(this.at - 4, this.at), 16);
  }

  /** A number is its digits from the first to the last one that is not zero, and the power of ten of the last. */
  private number(): number {
    const { json } = this;
    const isNegative = json.charCodeAt(this.at) === 0x2d;
    if (isNegative) this.at += 1;
    const start = this.at;
    let whole = 0;
    let code = json.charCodeAt(this.at);
    for (; isDigit(code); code = json.charCodeAt(++this.at)) whole = whole * 10 + code - ZERO;
    const isShort = this.at - start <= MAX_EXACT_DIGITS && code !== 0x2e && (code | 0x20) !== 0x65;
    if (isShort) return this.whole(isNegative ? -whole : whole);
    this.at = start;
    return this.anyNumber(isNegative);
  }

  /** @param number of at most MAX_EXACT_DIGITS digits */
  private whole(number: number): number {
    return this.begin(ZERO).addNumber(number).end();
  }

  private anyNumber(isNegative: boolean): number {
    const { json } = this;
    this.begin(isNegative ? 0x2d : 0x2b);
    let [value, digits, zeros, power] = [0, 0, 0, 0];
    let isFraction = false;
    for (; ; this.at += 1) {
      const code = json.charCodeAt(this.at);
      if (code === 0x2e) {
        isFraction = true;
        continue;
      }
      if (!isDigit(code)) break;
      if (isFraction) power -= 1;
      if (code !== ZERO) {
        value = value * 10 ** (zeros + 1) + code - ZERO;
        digits += zeros + 1;
        for (; zeros > 0; zeros -= 1) this.add(ZERO);
        this.add(code);
      } else if (digits > 0) zeros += 1;
    }
    const exponent = this.exponent();
    if (digits === 0) return this.whole(0);
    power += zeros;
    if (typeof exponent === 'string') return this.addText(exponent).addNumber(power).end();
    power += exponent;
    const isWhole = power >= 0 && digits + power <= MAX_EXACT_DIGITS;
    if (isWhole) return this.whole((isNegative ? -value : value) * 10 ** power);
    return this.add(0x65).addNumber(power).end();
  }

  /** Reads an exponent: a number, or the digits of one that is too long. */
  private exponent(): number | string {
    const { json } = this;
    if ((json.charCodeAt(this.at) | 0x20) !== 0x65) return 0;
    this.at += 1;
    const sign = json[this.at] === '-' ? '-' : '';
    if (!isDigit(json.charCodeAt(this.at))) this.at += 1;
    while (json.charCodeAt(this.at) === ZERO) this.at += 1;
    const start = this.at;
    while (isDigit(json.charCodeAt(this.at))) this.at += 1;
    const digits = json.slice(start, this.at);
    return digits.length > MAX_EXPONENT_DIGITS ? `${sign}${digits}` : Number(`${sign}${digits || 0}`);
  }

  private addText(text: string): this {
    for (let at = 0; at < text.length; at += 1) this.add(text.charCodeAt(at));
    return this;
  }

  private array(depth: number): number {
    // Those of the elements are mixed into one of its own, as an element overwrites the present one.
    let [high, low, count] = [0, 0, 0];
    this.at += 1;
    for (let code = this.skipSpace(); code !== 0x5d; code = this.skipSeparator()) {
      const element = this.value(depth + 1);
      if (Number.isNaN(element)) return element;
      this.high = high;
      this.low = low;
      this.addNumber(element);
      [high, low] = [this.high, this.low];
      count += 1;
    }
    this.at += 1;
    return this.begin(0x5b).add(high).add(low).add(count).end();
  }

  /** The order of members does not matter, and the last one of a name counts. */
  private object(depth: number): number {
    let members: Members | null = null;
    this.at += 1;
    for (let code = this.skipSpace(); code !== 0x7d; code = this.skipSeparator()) {
      const name = this.string();
      this.skipSpace();
      this.at += 1;
      this.skipSpace();
      const value = this.value(depth + 1);
      if (Number.isNaN(value)) return value;
      members ??= new Members();
      members.set(name, value);
    }
    this.at += 1;
    const { names, values } = members ?? NO_MEMBERS;
    let [high, low] = [0, 0];
    for (let at = 0; at < names.length; at += 1) {
      this.begin(0x3a)
        .addNumber(names[at] ?? 0)
        .addNumber(values[at] ?? 0);
      high = (high + this.high) | 0;
      low = (low + this.low) | 0;
    }
    return this.begin(0x7b).add(high).add(low).add(names.length).end();
  }

  /** Skips white space, and returns the character code that follows. */
  private skipSpace(): number {
    let code = this.json.charCodeAt(this.at);
    while (isSpace(code)) code = this.json.charCodeAt(++this.at);
    return code;
  }

  /** Skips a comma with the white space around it, and returns the character code that follows. */
  private skipSeparator(): number {
    if (this.skipSpace() === 0x2c) this.at += 1;
    return this.skipSpace();
  }
}

/** The fingerprints of an object's members, each name once. */
class Members {
  readonly names: number[] = [];
  readonly values: number[] = [];
  private places: Map<number, number> | null = null;

  set(name: number, value: number): void {
    const place = this.placeOf(name);
    if (place === -1) {
      this.places?.set(name, this.names.length);
      this.names.push(name);
      this.values.push(value);
    } else this.values[place] = value;
  }

  private placeOf(name: number): number {
    if (this.names.length < FEW_MEMBERS) return this.names.indexOf(name);
    this.places ??= new Map(this.names.map((known, at) => [known, at]));
    return this.places.get(name) ?? -1;
  }
}

const NO_MEMBERS = new Members();
