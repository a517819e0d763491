import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameJson } from '@/lib/events/same-json';
import { findTexts } from './find-texts';
import { JsonValue } from './json-value';

/** Few names, values and notations, so that different texts often say the same. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', maxDepth: 4 },
    fc.constantFrom(
      '1',
      '1.0',
      '10e-1',
      '0.1e1',
      '-1',
      '0',
      '-0',
      '0e5',
      '100',
      '1e2',
      '9007199254740993',
      '9007199254740992',
    ),
    fc.constantFrom(
      '1e9999999999999999',
      '1E+09999999999999999',
      '1e-9999999999999999',
      '"a"',
      '"\\u0061"',
      '"\\n"',
      '"\\u000A"',
      '"n1"',
      '""',
    ),
    fc.constantFrom('true', 'false', 'null'),
    fc.array(tie('json'), { maxLength: 3 }).map((each) => `[ ${each.join(' ,')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('"a"', '"\\u0061"', '"b"', '"c"'), tie('json')), { maxLength: 3 })
      .map((each) => `{${each.map(([name, value]) => `${name} :\n${value}`).join()} }`),
  ),
}));

describe('a value in a JSON text', () => {
  it('has the fingerprint of those that are the same, and of no other', () => {
    fc.assert(
      fc.property(json, json, (left, right) => {
        expect(JsonValue.of(left).fingerprint === JsonValue.of(right).fingerprint).toBe(isSameJson(left, right));
      }),
      { numRuns: 2_000 },
    );
    const members = Array.from({ length: 40 }, (_, at) => `"${at}":${at}`);
    const shuffled = `{${[...members].reverse().join()},"7":7}`;
    expect(JsonValue.of(`{${members.join()}}`).fingerprint).toBe(JsonValue.of(shuffled).fingerprint);
    expect(JsonValue.of(`{${members.join()},"7":8}`).fingerprint).not.toBe(JsonValue.of(shuffled).fingerprint);
  });

  it('is read as JSON.parse reads it', () => {
    const read = (value: JsonValue): unknown => {
      switch (value.kind) {
        case 'object':
          return Object.fromEntries(value.names.map((name) => [name, read(value.member(name) as JsonValue)]));
        case 'array':
          return value.elements.map(read);
        case 'string':
          return value.string;
        default:
          return JSON.parse(value.text);
      }
    };
    fc.assert(
      fc.property(json, (text) => {
        expect(read(JsonValue.of(` ${text} `))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('knows which elements it has, also beside one that is too deep to compare', () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    const list = JsonValue.of(`[1, ${deep}, {"a": [2]}]`);
    expect(list.hasElement(JsonValue.of('{"a":[2.0]}').fingerprint)).toBe(true);
    expect(list.hasElement(JsonValue.of('2').fingerprint)).toBe(false);
    expect(list.element(1)?.fingerprint).toBeNaN();
  });
});

describe('looking for texts', () => {
  const letters = fc.constantFrom('a', 'b', 'é');
  const short = fc.string({ unit: letters, maxLength: 12 });

  it.each([
    ['in a short text', fc.string({ unit: letters, maxLength: 40 })],
    [
      'in a long one, in one pass',
      fc.string({ unit: letters, maxLength: 40 }).map((text) => text + 'c'.repeat(17_000)),
    ],
  ])('finds those that are %s, however they overlap', (_, within) => {
    fc.assert(
      fc.property(fc.array(short, { minLength: 3, maxLength: 8 }), within, (wanted, text) => {
        expect(findTexts(text, wanted)).toEqual(new Set(wanted.filter((each) => text.includes(each))));
      }),
      { numRuns: 300 },
    );
  });

  it('finds long ones', () => {
    const long = fc.tuple(fc.nat(300), fc.nat(300)).map(([a, b]) => `${'a'.repeat(a)}b${'a'.repeat(b)}`);
    fc.assert(
      fc.property(long, long, (wanted, text) => {
        expect(findTexts(text.repeat(3), [wanted]).has(wanted)).toBe(text.repeat(3).includes(wanted));
      }),
      { numRuns: 300 },
    );
  });
});
