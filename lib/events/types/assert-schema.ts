import type { JsonValue } from '@/lib/events/json/json-value';
import { compareNumbers, type ExactNumber } from '@/lib/events/same-json';
import { isInteger, type SchemaNode, type SchemaType, shorten } from './json-schema';

/** Notes what differs, of the value or of a member of it. @returns false */
export type Fail = (message: string, name?: string | number) => false;

/**
 * Checks a value against the keywords of a schema that have no schemas.
 * @param countBytes called before so many bytes are read
 */
export function assertSchema(
  node: SchemaNode,
  value: JsonValue,
  fail: Fail,
  countBytes: (bytes: number) => void,
): boolean {
  if (node.always === false) return fail('is not allowed');
  const { kind } = value;
  if (node.type !== undefined && !node.type.some((type) => isOfType(value, type))) {
    return fail(`must be ${node.type.map(withArticle).join(' or ')}`);
  }
  let isValid = true;
  if (node.enum !== undefined || node.const !== undefined) {
    countBytes(value.size);
    const { fingerprint } = value;
    if (node.enum?.fingerprints.has(fingerprint) === false) isValid = fail(`must be one of ${node.enum.shown}`);
    if (node.const?.fingerprints.has(fingerprint) === false) isValid = fail(`must be ${node.const.shown}`);
  }
  if (kind === 'number') return assertNumber(node, value, fail, countBytes) && isValid;
  if (kind === 'string') return assertString(node, value, fail, countBytes) && isValid;
  if (kind === 'array') return assertArray(node, value, fail, countBytes) && isValid;
  if (kind === 'object') return assertObject(node, value, fail, countBytes) && isValid;
  return isValid;
}

function isOfType(value: JsonValue, type: SchemaType): boolean {
  return type === 'integer' ? value.kind === 'number' && isInteger(value.number) : value.kind === type;
}

function withArticle(type: SchemaType): string {
  if (type === 'null') return 'null';
  return type === 'array' || type === 'object' || type === 'integer' ? `an ${type}` : `a ${type}`;
}

type Assert = (node: SchemaNode, value: JsonValue, fail: Fail, countBytes: (bytes: number) => void) => boolean;

const assertNumber: Assert = ({ bounds, multipleOf }, value, fail, countBytes) => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  if (!(minimum || maximum || exclusiveMinimum || exclusiveMaximum || multipleOf)) return true;
  countBytes(value.size);
  const { number } = value;
  let isValid = true;
  if (minimum && compareNumbers(number, minimum.number) < 0) isValid = fail(`must be at least ${minimum.shown}`);
  if (maximum && compareNumbers(number, maximum.number) > 0) isValid = fail(`must be at most ${maximum.shown}`);
  if (exclusiveMinimum && compareNumbers(number, exclusiveMinimum.number) <= 0) {
    isValid = fail(`must be greater than ${exclusiveMinimum.shown}`);
  }
  if (exclusiveMaximum && compareNumbers(number, exclusiveMaximum.number) >= 0) {
    isValid = fail(`must be less than ${exclusiveMaximum.shown}`);
  }
  if (multipleOf && !isMultiple(number, multipleOf.number)) {
    const most = number.digits.length > MAX_FACTORED_DIGITS ? ', with at most 1,000 significant digits' : '';
    isValid = fail(`must be a multiple of ${multipleOf.shown}${most}`);
  }
  return isValid;
};

/** A division of all digits of a number of 256 KiB keeps the thread busy for 16 ms. */
const MAX_FACTORED_DIGITS = 1_000;
const CHUNK_DIGITS = 15;

/**
 * Whether a number is another one times a whole number, exactly. One with an exponent of over 15 digits, or with over 1,000 digits between
 * the zeros at its ends, is not.
 */
function isMultiple(number: ExactNumber, of: ExactNumber): boolean {
  if (number.sign === 0) return true;
  if (number.exponent !== '' || number.digits.length > MAX_FACTORED_DIGITS) return false;
  // Both as a whole number times a power of ten: this is what the powers differ by.
  const power = number.magnitude - number.digits.length - (of.magnitude - of.digits.length);
  // Its last digit is not zero.
  if (power < 0) return false;
  const divisor = BigInt(of.digits);
  let rest = 0n;
  for (let at = 0; at < number.digits.length; at += CHUNK_DIGITS) {
    const chunk = number.digits.slice(at, at + CHUNK_DIGITS);
    rest = (rest * 10n ** BigInt(chunk.length) + BigInt(chunk)) % divisor;
  }
  return (rest * powerOfTen(BigInt(power), divisor)) % divisor === 0n;
}

/** Returns the rest of a power of ten by squaring. */
function powerOfTen(exponent: bigint, divisor: bigint): bigint {
  let [rest, square] = [1n, 10n % divisor];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) rest = (rest * square) % divisor;
    square = (square * square) % divisor;
  }
  return rest;
}

const assertString: Assert = ({ sizes: { minLength, maxLength } }, value, fail, countBytes) => {
  if (minLength === undefined && maxLength === undefined) return true;
  countBytes(value.size);
  const length = characterCount(value.string);
  if (minLength !== undefined && length < minLength) return fail(`must have at least ${minLength} characters`);
  if (maxLength !== undefined && length > maxLength) return fail(`must have at most ${maxLength} characters`);
  return true;
};

/** Characters are code points. */
function characterCount(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}

const assertArray: Assert = ({ sizes: { minItems, maxItems } }, value, fail) => {
  let isValid = true;
  if (minItems !== undefined && value.length < minItems) isValid = fail(`must have at least ${minItems} elements`);
  if (maxItems !== undefined && value.length > maxItems) isValid = fail(`must have at most ${maxItems} elements`);
  return isValid;
};

const assertObject: Assert = ({ sizes, required, dependentRequired }, value, fail, countBytes) => {
  const { minProperties, maxProperties } = sizes;
  let isValid = true;
  if (minProperties !== undefined && value.entries.size < minProperties) {
    isValid = fail(`must have at least ${minProperties} members`);
  }
  if (maxProperties !== undefined && value.entries.size > maxProperties) {
    isValid = fail(`must have at most ${maxProperties} members`);
  }
  for (const name of required) {
    countBytes(name.length);
    if (!value.entries.has(name)) isValid = fail('is required', name);
  }
  for (const [name, others] of dependentRequired ?? []) {
    countBytes(name.length);
    if (!value.entries.has(name)) continue;
    for (const other of others) {
      countBytes(other.length);
      if (!value.entries.has(other)) isValid = fail(`is required where there is ${shorten(name)}`, other);
    }
  }
  return isValid;
};
