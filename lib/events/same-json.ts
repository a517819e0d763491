import { skipString } from './member-text';

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER_PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Whether two JSON texts have the same value: whatever the order of members, the spacing, the escapes and the notation of
 * numbers. Numbers are compared exactly, also beyond the precision of a double. Takes texts that JSON.parse accepts; of a
 * repeated name the last one counts.
 */
export function isSameJson(left: string, right: string): boolean {
  if (left === right) return true;
  // With a stack of its own: texts may be nested deeper than calls may be.
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

/** Parses JSON with its numbers as normal forms like `n-11e-1`; each string gets a leading `s`, so that none is taken for one. */
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

/** A number as its digits, without zeros at either end, and the power of ten of the last one. */
function normalForm(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER_PARTS.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}

/** By hand: a regular expression for the end of a text tries each run of zeros before it. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
