import { expect, it } from 'vitest';
import { asJson, stringify } from './json-text';

it('keeps JSON in a value as it is', () => {
  const value = { a: [asJson('{ "n": 1.50e1 }'), '"x"'], b: asJson('12345678901234567890'), c: undefined };
  expect(stringify(value)).toBe('{"a":[{ "n": 1.50e1 },"\\"x\\""],"b":12345678901234567890}');
  expect(stringify({ a: 1 })).toBe('{"a":1}');
  expect(JSON.stringify(value.b), 'elsewhere').toBe('"12345678901234567890"');
});
