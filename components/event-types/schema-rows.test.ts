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
});
