import { Ajv2020 } from 'ajv/dist/2020';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonValue } from '@/lib/events/json/json-value';
import type { FieldFault } from '@/lib/platform/errors';
import { checkJson } from './check-json';
import { readSchema } from './json-schema';

/** Runs a check to its end, and says how long it and its longest part had the thread. */
function run(schema: string, data: string): { errors: FieldFault[]; longestMs: number; totalMs: number } {
  const work = checkJson(readSchema(schema), JsonValue.of(data), 'data');
  let [longestMs, totalMs] = [0, 0];
  for (;;) {
    // A busy machine changes it less than wall-clock time.
    const startedAt = process.cpuUsage();
    const { done, value } = work.next();
    const ms = process.cpuUsage(startedAt).user / 1_000;
    longestMs = Math.max(longestMs, ms);
    totalMs += ms;
    if (done === true) return { errors: value, longestMs, totalMs };
  }
}

const check = (schema: unknown, data: unknown) => checkText(JSON.stringify(schema), JSON.stringify(data));
const checkText = (schema: string, data: string) => run(schema, data).errors;
const pathsOf = (schema: unknown, data: unknown) => check(schema, data).map(({ path }) => path);

/** Few names and values, so that schemas and data meet. */
const name = fc.constantFrom('a', 'b', 'c', 'hasOwnProperty');
const scalar = fc.constantFrom(null, true, false, 0, 1, -2, 3, 1.5, '', 'a', 'bb', '😀😀', 'ccc');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
}));
const size = fc.integer({ min: 0, max: 3 });
const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');
const { schema } = fc.letrec<{ schema: unknown; named: Record<string, unknown> }>((tie) => ({
  named: fc.array(fc.tuple(name, tie('schema')), { maxLength: 3 }).map((members) => Object.fromEntries(members)),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(true, false, {}),
    fc.record(
      {
        type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
        const: value,
        minimum: fc.constantFrom(-2, 0, 1.5),
        exclusiveMaximum: fc.constantFrom(1, 3),
        multipleOf: fc.constantFrom(1, 2, 0.5),
        minLength: size,
        maxLength: size,
        minItems: size,
        maxItems: size,
        uniqueItems: fc.boolean(),
        minProperties: size,
        maxProperties: size,
      },
      { requiredKeys: [] },
    ),
    fc.record({ enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, comparator: sameJson }) }),
    fc.record(
      {
        properties: tie('named'),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: tie('schema'),
        propertyNames: tie('schema'),
        dependentSchemas: tie('named'),
        dependentRequired: fc
          .array(fc.tuple(name, fc.uniqueArray(name, { maxLength: 2 })), { maxLength: 2 })
          .map((members) => Object.fromEntries(members)),
        unevaluatedProperties: tie('schema'),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        items: tie('schema'),
        unevaluatedItems: tie('schema'),
      },
      { requiredKeys: [] },
    ),
    // Beside prefixItems, the other implementation takes an empty array to contain everything.
    fc.record({ contains: tie('schema'), minContains: size, maxContains: size }),
    fc.record(
      {
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        not: tie('schema'),
        if: tie('schema'),
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: tie('schema'),
        else: tie('schema'),
        unevaluatedProperties: tie('schema'),
        unevaluatedItems: tie('schema'),
      },
      { requiredKeys: [] },
    ),
  ),
}));

/** Returns what another implementation says; null where the code that it generates is broken. */
function validateElsewhere(schema: object, data: unknown): boolean | null {
  try {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true, logger: false });
    return ajv.validate(schema, data);
  } catch (error) {
    if (error instanceof ReferenceError) return null;
    throw error;
  }
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

describe('a check', () => {
  it('agrees with another implementation about what satisfies a schema', () => {
    let matching = 0;
    fc.assert(
      fc.property(schema, schema, value, (first, second, data) => {
        const whole = { allOf: [first, { $ref: '#/$defs/second' }], $defs: { second } };
        const expected = validateElsewhere(whole, data);
        fc.pre(expected !== null);
        if (expected) matching += 1;
        expect(check(whole, data).length === 0, JSON.stringify([whole, data])).toBe(expected);
      }),
      // Always the same: in one of 10,000 schemas Ajv counts what a failed branch of oneOf has evaluated.
      { numRuns: 1_000, seed: 20_261_128 },
    );
    expect(matching).toBeGreaterThan(150);
  });

  it('names the place of what differs: members, elements, and those that are missing', () => {
    const item = {
      type: 'object',
      properties: { sku: { type: 'string' } },
      required: ['sku'],
      additionalProperties: false,
    };
    const order = { properties: { amount: { minimum: 1 }, items: { items: item } }, required: ['amount'] };
    expect(check(order, { items: [{ sku: 1 }, {}, { sku: 'a', 'b c': 1 }] })).toEqual([
      { path: 'data.amount', message: 'is required' },
      { path: 'data.items[0].sku', message: 'must be a string' },
      { path: 'data.items[1].sku', message: 'is required' },
      { path: 'data.items[2].b c', message: 'is not allowed' },
    ]);
    expect(pathsOf(order, { amount: 0 })).toEqual(['data.amount']);
  });

  it('counts nothing as evaluated by a failed branch, and takes __proto__ for a name like any other', () => {
    const failed = { else: false, if: false, unevaluatedItems: true };
    expect(check({ oneOf: [true, failed], unevaluatedItems: false }, [null])).not.toEqual([]);
    expect(check({ oneOf: [true, failed] }, [null])).toEqual([]);
    const [schema, data] = [
      '{"properties": {"__proto__": {"type": "null"}}, "additionalProperties": false}',
      '{"__proto__": null}',
    ];
    expect(checkText(schema, data)).toEqual([]);
    expect(checkText(schema, '{"__proto__": 1}')).not.toEqual([]);
  });

  it('has at most 20 errors, and short paths', () => {
    expect(
      check(
        { items: { type: 'string' } },
        Array.from({ length: 100 }, () => 1),
      ),
    ).toHaveLength(20);
    const [path = ''] = pathsOf({ additionalProperties: false }, { ['x'.repeat(10_000)]: 1 });
    expect(path.length).toBeLessThan(200);
  });

  it('is exact about numbers beyond the precision of a double', () => {
    expect(checkText('{"const":9007199254740993}', '9007199254740992')).toHaveLength(1);
    expect(checkText('{"const":9007199254740993}', '9007199254740993.0')).toEqual([]);
    expect(checkText('{"maximum":0.1}', '0.10000000000000000001')).toHaveLength(1);
    expect(checkText('{"exclusiveMinimum":1e400}', '1.00000000000000000000001e400')).toEqual([]);
    expect(checkText('{"type":"integer"}', '12345678901234567890.5')).toHaveLength(1);
    expect(checkText('{"type":"integer"}', '1234567890123456789012345e-1')).toHaveLength(1);
    expect(checkText('{"type":"integer"}', '12345678901234567890e-1')).toEqual([]);
    expect(checkText('{"multipleOf":0.01}', '12345678901234567890.12')).toEqual([]);
    expect(checkText('{"multipleOf":0.01}', '12345678901234567890.123')).toHaveLength(1);
    expect(checkText('{"multipleOf":7}', `1${'0'.repeat(100_000)}`)).toHaveLength(1);
    expect(checkText('{"multipleOf":7}', `7${'0'.repeat(100_000)}`)).toEqual([]);
    expect(checkText('{"multipleOf":3}', '9e999999999999999')).toEqual([]);
    expect(checkText('{"uniqueItems":true}', '[9007199254740992,9007199254740993]')).toEqual([]);
    expect(checkText('{"uniqueItems":true}', '[1,1.0]')).toEqual([
      { path: 'data[1]', message: 'must differ from the element at 0' },
    ]);
  });

  it('takes a number of more than 1,000 significant digits for no multiple, and says so', () => {
    const digits = (count: number) => '3'.repeat(count);
    expect(checkText('{"multipleOf":3}', digits(1_000))).toEqual([]);
    expect(checkText('{"multipleOf":3}', `0.${digits(1_000)}e2000`)).toEqual([]);
    expect(checkText('{"multipleOf":3}', `${digits(999)}1`)).toEqual([
      { path: 'data', message: 'must be a multiple of 3' },
    ]);
    expect(checkText('{"multipleOf":3}', digits(1_001))).toEqual([
      { path: 'data', message: 'must be a multiple of 3, with at most 1,000 significant digits' },
    ]);
  });

  it('takes the last of the members with one name, as JSON.parse does', () => {
    expect(checkText('{"properties":{"a":{"const":1}}}', '{"a":2,"a":1}')).toEqual([]);
    expect(checkText('{"properties":{"a":{"const":1}}}', '{"a":1,"\\u0061":2}')).toHaveLength(1);
  });

  it('says which values are wanted, in short', () => {
    expect(check({ enum: ['EUR', 'USD'] }, 'GBP')[0]?.message).toBe('must be one of "EUR", "USD"');
    expect(check({ type: ['integer', 'null'] }, 'x')[0]?.message).toBe('must be an integer or null');
    const long = { enum: Array.from({ length: 500 }, (_, n) => `value ${n}`) };
    expect(check(long, 'x')[0]?.message.length).toBeLessThan(250);
  });

  it.each([
    ['a type that is repeated', JSON.stringify({ type: Array.from({ length: 5_000 }, () => 'string') })],
    ['a long number', `{"minimum":1${'0'.repeat(60_000)}}`],
    ['a long name', JSON.stringify({ dependentRequired: { ['n'.repeat(60_000)]: ['a'] } })],
  ])('shows %s in short', (_what, schema) => {
    const data = schema.startsWith('{"dep') ? `{"${'n'.repeat(60_000)}":1}` : '1';
    const [error] = checkText(schema, data);
    expect(error?.message.length).toBeLessThan(300);
  });
});

/** Schemas and data of which a check is as expensive as their limits allow. */
const wide = (depth: number) =>
  Object.fromEntries(
    Array.from({ length: depth }, (_, n) => [
      `d${n}`,
      { anyOf: Array.from({ length: 30 }, () => (n === depth - 1 ? { const: 'x' } : { $ref: `#/$defs/d${n + 1}` })) },
    ]),
  );
const HOSTILE: [string, unknown, unknown][] = [
  ['references that multiply', { $ref: '#/$defs/d0', $defs: wide(14) }, 1],
  [
    'references that multiply, for each element',
    { items: { $ref: '#/$defs/d0' }, $defs: wide(3) },
    Array.from({ length: 100_000 }, () => 1),
  ],
  [
    'many schemas of each element',
    { allOf: Array.from({ length: 200 }, () => ({ items: { type: 'number' } })) },
    Array.from({ length: 100_000 }, () => 1),
  ],
  ['unique elements', { uniqueItems: true }, Array.from({ length: 40_000 }, (_, n) => n)],
  [
    'unique elements that are arrays',
    { uniqueItems: true },
    Array.from({ length: 60_000 }, () => []).map((_, n) => (n % 2 ? [] : [0])),
  ],
  [
    'many members',
    { additionalProperties: { type: 'null' } },
    Object.fromEntries(Array.from({ length: 25_000 }, (_, n) => [`m${n}`, null])),
  ],
  [
    'unevaluated members of many schemas',
    {
      allOf: Array.from({ length: 150 }, () => ({ properties: { a: true }, additionalProperties: true })),
      unevaluatedProperties: false,
    },
    Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`m${n}`, 1])),
  ],
  [
    'names that are checked',
    { propertyNames: { maxLength: 5 } },
    Object.fromEntries(Array.from({ length: 25_000 }, (_, n) => [`m${n}`, 1])),
  ],
  [
    'the length of a long text, many times',
    { allOf: Array.from({ length: 400 }, () => ({ maxLength: 300_000 })) },
    '😀'.repeat(60_000),
  ],
  [
    'a type that is repeated, for each element',
    { items: { anyOf: [{ type: Array.from({ length: 7_000 }, () => 'string') }, true] } },
    Array.from({ length: 100_000 }, () => 1),
  ],
  ['a deep value', { items: { items: true } }, '['.repeat(120_000) + ']'.repeat(120_000)],
  ['a long number', { minimum: 1, multipleOf: 0.000001 }, `1${'0'.repeat(250_000)}1`],
  [
    'enumerated values and a large one',
    { allOf: Array.from({ length: 400 }, () => ({ const: [1, 2] })) },
    Array.from({ length: 2_000 }, (_, n) => [n, 'x'.repeat(100)]),
  ],
  [
    'many schemas of the first element',
    { allOf: Array.from({ length: 240 }, () => ({ prefixItems: [true] })) },
    Array.from({ length: 131_000 }, () => 0),
  ],
  [
    'elements that were evaluated many times',
    { allOf: Array.from({ length: 100 }, () => ({ items: true, unevaluatedItems: false })), unevaluatedItems: false },
    Array.from({ length: 131_000 }, () => 0),
  ],
  [
    'many members that were evaluated many times',
    [...Array(13)].reduce((schema) => ({ allOf: [schema], unevaluatedProperties: false }), {
      additionalProperties: true,
    }),
    Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [n.toString(36), 0])),
  ],
  [
    'a type that is named many times',
    { contains: { type: Array.from({ length: 6_000 }, () => 'integer') } },
    Array.from({ length: 65_000 }, () => 'a'),
  ],
  [
    'values of which none matches',
    { contains: { enum: Array.from({ length: 999 }, (_, n) => `${'x'.repeat(55)}${n}`) } },
    Array.from({ length: 65_000 }, () => 'a'),
  ],
  [
    'names that are missing',
    { items: { anyOf: [{ required: Array.from({ length: 9_000 }, (_, n) => n.toString(36)) }, true] } },
    Array.from({ length: 80_000 }, () => ({})),
  ],
];

describe('a hostile check', () => {
  it.each(HOSTILE)('of %s ends soon, and leaves the thread to others often', (_what, schema, data) => {
    run('{}', '1');
    const isText = typeof data === 'string' && /^[[1]/.test(data);
    const text = isText ? data : JSON.stringify(data);
    // The compiler and the garbage collector of a busy process compute too: what the check itself takes, it takes each time.
    const runs = Array.from({ length: 3 }, () => run(JSON.stringify(schema), text));
    const [longestMs, totalMs] = [runs.map((each) => each.longestMs), runs.map((each) => each.totalMs)].map((each) =>
      Math.min(...each),
    );
    expect(runs[0]?.errors.length).toBeLessThanOrEqual(20);
    expect(totalMs).toBeLessThan(3_000);
    expect(longestMs).toBeLessThan(50);
    expect(totalMs).toBeLessThan(1_500);
  });

  it('has short errors, whatever its schema has', () => {
    const [long, zeros] = ['x'.repeat(60_000), `1${'0'.repeat(60_000)}`];
    const schemas = [
      `{"minimum":${zeros}}`,
      `{"exclusiveMinimum":${zeros}}`,
      `{"const":"${long}"}`,
      `{"enum":["${long}"]}`,
      `{"minLength":1,"type":"object"}`,
    ].map((schema) => [schema, '7'] as const);
    const required = [`{"dependentRequired":{"a":["${long}"]}}`, '{"a":1}'] as const;
    const dependent = [`{"dependentRequired":{"${long}":["a"]}}`, `{"${long}":1}`] as const;
    for (const [schema, data] of [...schemas, required, dependent]) {
      const errors = checkText(schema, data);
      expect(errors).toHaveLength(1);
      expect(JSON.stringify(errors).length).toBeLessThan(500);
    }
  });

  it('that takes too much work fails with an error that says so', () => {
    expect(check({ $ref: '#/$defs/d0', $defs: wide(14) }, 1)).toEqual([
      { path: 'data', message: expect.stringContaining('too much work') },
    ]);
  });
});
