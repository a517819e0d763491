import { skipString } from './member-text';

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER_PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Whether two JSON texts have the same value. The order of members, spacing, escapes and the notation of numbers do not matter.
 * Numbers are compared exactly, also beyond the precision of a double, unless their exponents have more than 15 digits:
 * then they are the same only in the same notation. If a name is repeated, the last member counts.
 * Both texts must be accepted by JSON.parse.
 */
export function isSameJson(left: string, right: string): boolean {
  if (left === right) return true;
  // An explicit stack: a text may be nested deeper than the call stack.
  const pairs: [unknown, unknown][] = [[parseExactly(left), parseExactly(right)]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (!isNested(a) || !isNested(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(b, name)) return false;
      pairs.push([a[name], b[name]]);
    }
  }
  return true;
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Parses JSON with each number as a normal form such as `n-11e-1`. Each string gets the prefix `s`, to tell it from a number. */
function parseExactly(json: string): unknown {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < json.length; ) {
    const char = json[at];
    if (char === '"') {
      parts.push(json.slice(copied, at + 1), 's');
      copied = at + 1;
      at = skipString(json, at);
    } else if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) {
      NUMBER.lastIndex = at;
      const [number = char] = NUMBER.exec(json) ?? [];
      parts.push(json.slice(copied, at), `"n${normalForm(number)}"`);
      at += number.length;
      copied = at;
    } else {
      at += 1;
    }
  }
  parts.push(json.slice(copied));
  return JSON.parse(parts.join(''));
}

/** More digits would not be exact in the sum below. As a BigInt, an exponent of a payload's length takes a second. */
const MAX_EXPONENT_DIGITS = 15;

/** A number of JSON, exactly. */
export interface ExactNumber {
  sign: -1 | 0 | 1;
  /** Without zeros at its ends. */
  digits: string;
  /** The power of ten of the first digit; with `exponent`, without it. */
  magnitude: number;
  /** An exponent of over 15 digits; empty for none. */
  exponent: string;
}

const WHOLE = /^-?[1-9]\d*$/;

/** @param number as in JSON */
export function exactNumber(number: string): ExactNumber {
  // Most numbers are, and need none of the rest.
  if (WHOLE.test(number)) {
    const digits = number.startsWith('-') ? number.slice(1) : number;
    const sign = digits === number ? 1 : -1;
    return { sign, digits: withoutTrailingZeros(digits), magnitude: digits.length, exponent: '' };
  }
  const form = normalForm(number);
  const isNegative = form.startsWith('-');
  const [digits = '', power = '0', exponent = ''] = form.slice(isNegative ? 1 : 0).split('e');
  if (digits === '0') return { sign: 0, digits, magnitude: 0, exponent };
  return { sign: isNegative ? -1 : 1, digits, magnitude: Number(power) + digits.length, exponent };
}

/** Compares two numbers: below, at or above zero, as for sorting. Those with an exponent of over 15 digits by their exponents. */
export function compareNumbers(a: ExactNumber, b: ExactNumber): number {
  if (a.sign !== b.sign || a.sign === 0) return a.sign - b.sign;
  return a.sign * (compareMagnitudes(a, b) || compareTexts(a.digits, b.digits));
}

function compareMagnitudes(a: ExactNumber, b: ExactNumber): number {
  return compareExponents(a.exponent, b.exponent) || a.magnitude - b.magnitude;
}

/** Compares whole numbers of over 15 digits, or none, which is zero: the shorter ones are in the magnitude. */
function compareExponents(left: string, right: string): number {
  const signOf = (text: string) => (text === '' ? 0 : text[0] === '-' ? -1 : 1);
  const sign = signOf(left);
  if (sign !== signOf(right)) return sign - signOf(right);
  return sign * (left.length - right.length || compareTexts(left, right));
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Writes a number as its digits, without leading and trailing zeros, and the power of ten of the last digit. A longer exponent
 * keeps its notation, beside the power without it.
 */
function normalForm(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER_PARTS.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  const power = digits.length - significant.length - fraction.length;
  const [, exponentSign = '', exponentDigits = ''] = /^([+-]?)0*(\d*)$/.exec(exponent) ?? [];
  const isShort = exponentDigits.length <= MAX_EXPONENT_DIGITS;
  if (isShort) return `${sign}${significant}e${power + Number(`${exponentSign}${exponentDigits || 0}`)}`;
  return `${sign}${significant}e${power}e${exponentSign === '-' ? '-' : ''}${exponentDigits}`;
}

/** Not a regular expression: `0+$` would retry at each run of zeros, which takes quadratic time. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
