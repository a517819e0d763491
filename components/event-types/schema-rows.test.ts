import { describe, expect, it } from 'vitest';
import { schemaRows } from './schema-rows';

const linesOf = (schema: Record<string, unknown>) =>
  schemaRows(schema).map(({ path, type, isRequired, rules }) =>
    [path, type, ...(isRequired ? ['required'] : []), ...rules].join(' | '),
  );

describe('the rows of a schema', () => {
  it('are its fields, with those of objects and elements below them', () => {
    const line = { type: 'object', properties: { sku: { type: 'string', maxLength: 8 } }, required: ['sku'] };
    const schema = {
      $defs: { money: { type: 'integer', minimum: 0, description: 'In cents' } },
      allOf: [{ properties: { id: { type: 'string', format: 'uuid' } }, required: ['id'] }],
      properties: {
        amount: { $ref: '#/$defs/money' },
        currency: { enum: ['EUR', 'USD'] },
        lines: { type: 'array', items: line, minItems: 1 },
        customer: { properties: { name: { type: ['string', 'null'] } } },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
    };
    expect(linesOf(schema)).toEqual([
      'amount | integer | at least 0',
      'currency | string | one of EUR, USD',
      'lines | array of object | at least 1 elements',
      'lines[].sku | string | required | at most 8 characters',
      'customer | object',
      'customer.name | string or null',
      'note | string or null',
      'id | string (uuid) | required',
    ]);
    expect(schemaRows(schema)[0]?.description).toBe('In cents');
  });

  it('end, however references multiply', () => {
    const defs = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `d${n}`,
        {
          properties: Object.fromEntries(
            Array.from({ length: 9 }, (_x, m) => [`m${m}`, { $ref: `#/$defs/d${n + 1}` }]),
          ),
        },
      ]),
    );
    expect(schemaRows({ $ref: '#/$defs/d0', $defs: defs })).toHaveLength(200);
  });

  it('name the first options, and read few of those that references multiply', () => {
    let reads = 0;
    const leaf = {
      get type() {
        reads += 1;
        return 'string';
      },
    };
    const optionsOf = (n: number) => ({ anyOf: Array.from({ length: 12 }, () => ({ $ref: `#/$defs/d${n}` })) });
    const $defs = { d0: optionsOf(1), d1: optionsOf(2), d2: optionsOf(3), d3: leaf };
    expect(linesOf({ $defs, properties: { a: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/d0' }] } } })).toEqual([
      'a | null or string or …',
    ]);
    expect(reads).toBeLessThan(100);
  });

  it('end for options that are of themselves', () => {
    const a = { anyOf: [{ type: 'integer' }, { type: 'array', items: { $ref: '#/properties/a' } }] };
    expect(linesOf({ properties: { a } })[0]).toMatch(/^a \| integer or array of integer or array of .*…/);
  });

  it('read a bounded number of members for all of them, and say … for what is left', () => {
    let reads = 0;
    const names = Array.from({ length: 9_000 }, (_, n) => `n${n}`);
    const b = {
      get required() {
        reads += 1;
        return names;
      },
    };
    const refsTo = (name: string, count: number) => Array.from({ length: count }, () => ({ $ref: `#/$defs/${name}` }));
    const $defs = { b, d: { allOf: refsTo('b', 24) }, u: { anyOf: refsTo('d', 50) } };
    const properties = Object.fromEntries(refsTo('u', 200).map((each, n) => [`p${n}`, each]));
    const rows = schemaRows({ $defs, properties: { id: { type: 'string' }, ...properties } });
    expect(rows).toHaveLength(200);
    expect(rows[0]?.type).toBe('string');
    expect(rows.at(-1)?.type).toBe('…');
    expect(reads).toBeLessThan(20);
  });
});
