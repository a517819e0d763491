import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameJson } from './same-json';

/** Writes the same value differently: other order of members, other spacing, other escapes. */
function respell(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map(respell).join(' ,\n')} ]`;
  if (typeof value === 'string') return respellString(value);
  if (typeof value !== 'object' || value === null) return ` ${JSON.stringify(value)}\t`;
  const members = Object.entries(value).map(([name, member]) => `${respellString(name)} : ${respell(member)}`);
  return `{${members.reverse().join(', ')}}`;
}

const respellString = (text: string) =>
  `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;

describe('two JSON texts', () => {
  it.each([
    ['{"a":1,"b":[true,null]}', '{ "b" : [true, null], "a" : 1 }'],
    ['{"price":1.10}', '{"price":1.1}'],
    ['{"n":1e3}', '{"n":1000}'],
    ['{"n":1E400}', '{"n":10e399}'],
    ['{"n":0.00}', '{"n":-0e7}'],
    ['{"n":1e-2}', '{"n":0.01}'],
    ['{"n":1e99999999999999999999}', '{"n":1E+099999999999999999999}'],
    ['{"s":"\\u00e9\\/"}', '{"s":"é/"}'],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['{"__proto__":{"a":1}}', '{ "__proto__": {"a":1} }'],
    ['{"s":"\\u0000\\ud800"}', '{ "s":"\\u0000\\uD800" }'],
  ])('%s and %s have the same value', (left, right) => {
    expect(isSameJson(left, right)).toBe(true);
  });

  it.each([
    ['{"a":1}', '{"a":"1"}'],
    ['{"id":9007199254740993}', '{"id":9007199254740992}'],
    ['{"n":1E400}', '{"n":1E401}'],
    ['{"n":1e99999999999999999999}', '{"n":1e99999999999999999998}'],
    ['{"n":1e99999999999999999999}', '{"n":1e-99999999999999999999}'],
    ['{"n":-1}', '{"n":1}'],
    ['{"n":10}', '{"n":1}'],
    ['{"n":null}', '{}'],
    ['{"n":null}', '{"m":null}'],
    ['{"l":[1,2]}', '{"l":[2,1]}'],
    ['{"l":[]}', '{"l":{}}'],
    ['{"l":[1]}', '{"l":{"0":1}}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
    ['{"a":{}}', '{"a":{"toString":1}}'],
    ['{"n":12}', '{"n":"n12"}'],
  ])('%s and %s have different values', (left, right) => {
    expect(isSameJson(left, right)).toBe(false);
  });

  it('have the same value if they differ in order, spacing and escapes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed = JSON.parse(JSON.stringify(value));
        expect(isSameJson(JSON.stringify(parsed), respell(parsed))).toBe(true);
      }),
    );
  });

  it('of doubles have the same value exactly if JSON.parse returns the same', () => {
    const json = fc.jsonValue().map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(json, json, (left, right) => {
        const sortedText = (text: string) => JSON.stringify(JSON.parse(text), sortMembers).replaceAll('-0', '0');
        expect(isSameJson(left, right)).toBe(sortedText(left) === sortedText(right));
      }),
    );
  });

  it('may be nested as deep as a body allows', () => {
    const deep = (inner: string) => `{"data":${'['.repeat(120_000)}${inner}${']'.repeat(120_000)}}`;
    expect(isSameJson(deep('1'), deep('1.0'))).toBe(true);
    expect(isSameJson(deep('1'), deep('2'))).toBe(false);
  });

  it('are compared in linear time', () => {
    const texts: ((count: number) => string)[] = [
      (count) => `{"n":${'9'.repeat(count)}}`,
      (count) => `{"n":1e${'9'.repeat(count)}}`,
      (count) => `{"n":0.${'0'.repeat(count)}}`,
      (count) => `{"s":"${'\\\\'.repeat(count / 2)}"}`,
      (count) =>
        `{"l":[${Array(count / 4)
          .fill('1.5')
          .join(',')}]}`,
    ];
    /** The least of three, in milliseconds. */
    const timeOf = (text: string) => {
      const times = [1, 2, 3].map(() => {
        const started = performance.now();
        expect(isSameJson(text, ` ${text}`)).toBe(true);
        return performance.now() - started;
      });
      return Math.min(...times);
    };
    for (const make of texts) expect(timeOf(make(240_000)) / Math.max(1, timeOf(make(12_000)))).toBeLessThan(150);
  });
});

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
