import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from '@/lib/platform/json-text';
import { evaluateFilter } from './evaluate-filter';

const FILTER = '{"path":"data.a","op":"exists","value":false}';
const shown = (json: string): unknown =>
  JSON.parse(stringify(evaluateFilter({ filter: FILTER, type: 'a', data: `{"a":${json}}` }))).failed[0].actual;

it('shows a short value as it is, and of a long one the first 256 characters', () => {
  expect(shown('{"b": [1, "\\u0061"]}')).toEqual({ b: [1, 'a'] });
  expect(shown(JSON.stringify('x'.repeat(256)))).toBe('x'.repeat(256));
  expect(shown(JSON.stringify('x'.repeat(257)))).toBe(`${'x'.repeat(256)}…`);
  expect(shown(`"${'\\u0061'.repeat(256)}"`)).toBe('a'.repeat(256));
  expect(shown(`[${'[],'.repeat(80_000)}1]`)).toBe(`[${'[],'.repeat(85)}…`);
  expect(shown('1'.repeat(5_000))).toBe(`${'1'.repeat(256)}…`);
});

it('decodes the start of a string as it decodes all of it, whatever is escaped', () => {
  const char = fc.constantFrom(
    'a',
    'ä',
    '€',
    '🚢',
    '\\u0061',
    '\\ud83d\\udea2',
    '\\ud83d',
    '\\n',
    '\\\\',
    '\\"',
    '\\/',
  );
  fc.assert(
    fc.property(fc.array(char, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 2_000 }), (chars, times) => {
      const json = `"${chars.join('').repeat(times)}"`;
      const text = JSON.parse(json) as string;
      expect(shown(json)).toBe(text.length <= 256 ? text : `${text.slice(0, 256)}…`);
    }),
  );
});

it.each([
  ['string', JSON.stringify('a'.repeat(250_000))],
  ['string of escapes', `"${'\\u0061'.repeat(42_000)}"`],
  ['array', `[${'[],'.repeat(80_000)}1]`],
])('reads a large %s once, however many conditions fail on it', (_, json) => {
  const fastestMs = (conditions: number) => {
    const all = Array.from({ length: conditions }, (_, value) => ({ path: 'data.a', op: 'eq', value }));
    const given = { filter: JSON.stringify({ all }), type: 'a', data: `{"a":${json}}` };
    const times = Array.from({ length: 10 }, () => {
      const startedMs = performance.now();
      expect(evaluateFilter(given).failed).toHaveLength(conditions);
      return performance.now() - startedMs;
    });
    return Math.min(...times);
  };
  expect(fastestMs(49)).toBeLessThan(12 * fastestMs(1));
});
