import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FingerprintMap } from '@/lib/events/json/fingerprint-map';
import { JsonValue } from '@/lib/events/json/json-value';
import { isSameJson } from '@/lib/events/same-json';
import { findTexts } from './find-texts';

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
      '"é€𝕏"',
      '"\\u00E9\\u20ac\\ud835\\uDD4F"',
      '"\\ud835"',
      '"\\udd4f"',
    ),
    // 1, 10 and 0.1, and others that have digits in common, in many notations.
    fc
      .record({
        sign: fc.constantFrom('', '-'),
        whole: fc.constantFrom('0', '1', '10', '101', '100000000000000000'),
        fraction: fc.constantFrom('', '.0', '.01', '.10', '.1000000000000000000001'),
        exponent: fc.constantFrom('', 'e1', 'E+02', 'e-1', 'e-017', 'e4294967296', 'e4294967297'),
      })
      .map(({ sign, whole, fraction, exponent }) => `${sign}${whole}${fraction}${exponent}`),
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

  it('has the same fingerprint within a large one that is read before or after it', () => {
    const large = `[${' '.repeat(10_000)}{"a": 1}]`;
    const list = JsonValue.of(`[${large}, ${large}]`);
    expect(list.element(0)?.fingerprint).toBe(JsonValue.of('[{"a":1}]').fingerprint);
    expect(list.fingerprint).toBe(JsonValue.of('[[{"a":1}],[{"a":1}]]').fingerprint);
    expect(list.element(1)?.fingerprint).toBe(list.element(0)?.fingerprint);
  });

  it('has no fingerprint where it has more elements or members than a filter can', () => {
    const largest = `[${'1,'.repeat(2_047)}1]`;
    expect(JsonValue.of(largest).fingerprint).not.toBeNaN();
    expect(JsonValue.of(`[${largest.replace('1', '1,1')}]`).fingerprint).toBeNaN();
    const members = Array.from({ length: 2_050 }, (_, at) => `"${at}":0`);
    expect(JsonValue.of(`{"a":{${members.join()}}}`).fingerprint).toBeNaN();
    expect(JsonValue.of(`{${'"a":0,'.repeat(5_000)}"b":1}`).fingerprint).toBe(
      JsonValue.of('{"b":1,"a":0}').fingerprint,
    );
  });

  it.each([
    ['objects', '{"a":', '}'],
    ['arrays', '[', ']'],
  ])('has a fingerprint up to 256 levels of %s, also as an element, and none beyond', (_, open, close) => {
    const nested = (levels: number) => JsonValue.of(`${open.repeat(levels)}1${close.repeat(levels)}`);
    expect(nested(256).fingerprint).not.toBeNaN();
    expect(nested(257).fingerprint).toBeNaN();
    const wanted = new FingerprintMap();
    wanted.set(nested(256).fingerprint, 0);
    expect(JsonValue.of(`[${nested(256).text}]`).elementsAmong(wanted).size).toBe(1);
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
    const [nested, absent] = ['{"a":[2.0]}', '2'].map((text) => JsonValue.of(text).fingerprint) as [number, number];
    const wanted = new FingerprintMap();
    for (const fingerprint of [nested, absent]) wanted.set(fingerprint, 0);
    expect(list.elementsAmong(wanted)).toEqual(new Set([nested]));
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
