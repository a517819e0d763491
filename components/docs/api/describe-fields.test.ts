import { describe, expect, it } from 'vitest';
import { describeField as describe_, describeFields, type Field } from './describe-fields';
import type { Schema, Schemas } from './document-types';

const schemas: Schemas = {
  Color: { type: 'string', enum: ['RED', 'BLUE'] },
  Point: { type: 'object', properties: { x: { type: 'integer', minimum: 0 } }, required: ['x'] },
  Tree: { type: 'object', properties: { child: { $ref: '#/components/schemas/Tree' } } },
};

const input = (schema: Schema): Field => describe_('field', schema, { schemas, isInput: true, isRequired: true });
const output = (schema: Schema): Field => describe_('field', schema, { schemas, isInput: false, isRequired: true });

describe('the type of a field', () => {
  it.each<[string, Schema]>([
    ['string', { type: 'string' }],
    ['integer or null', { type: ['integer', 'null'] }],
    ['UUID', { type: 'string', format: 'uuid' }],
    [
      'RFC 3339 time, date or null',
      { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'string', format: 'date' }, { type: 'null' }] },
    ],
    ['object', { $ref: '#/components/schemas/Point' }],
    ['array of objects', { type: 'array', items: { $ref: '#/components/schemas/Point' } }],
    ['array of UUIDs', { type: 'array', items: { type: 'string', format: 'uuid' } }],
    ['array of arrays of integers', { type: 'array', items: { type: 'array', items: { type: 'integer' } } }],
    [
      'array of pairs or null',
      { anyOf: [{ type: 'array', items: { type: 'array', items: {}, minItems: 2, maxItems: 2 } }, { type: 'null' }] },
    ],
    ['array of values (string or null)', { type: 'array', items: { type: ['string', 'null'] } }],
    ['object of numbers', { type: 'object', additionalProperties: { type: 'number' } }],
    ['object', { type: 'object', additionalProperties: {} }],
    ['"BEARER"', { type: 'string', const: 'BEARER' }],
    [
      'string',
      {
        anyOf: [
          { type: 'string', pattern: 'a' },
          { type: 'string', const: '*' },
        ],
      },
    ],
    ['any value', {}],
  ])('is written as %s', (type, schema) => {
    expect(input(schema).type).toBe(type);
  });
});

describe('the rules of a field', () => {
  it.each<[string, Schema]>([
    ['1 to 100 characters', { type: 'string', minLength: 1, maxLength: 100 }],
    ['at most 1,024 characters', { type: 'string', maxLength: 1024 }],
    ['at least 1 character', { type: 'string', minLength: 1 }],
    ['0 to 8,760', { type: 'integer', minimum: 0, maximum: 8760 }],
    ['at least 1', { type: 'integer', exclusiveMinimum: 0 }],
    ['at most 30 items', { type: 'array', maxItems: 30, items: { type: 'integer' } }],
    ['matches `^a$`', { type: 'string', pattern: '^a$' }],
    ['at most 9 characters', { type: ['string', 'null'], maxLength: 9 }],
  ])('are written as %s', (rule, schema) => {
    expect(input(schema).rules).toEqual([rule]);
  });

  it('are of no use in a response', () => {
    expect(output({ type: 'integer', minimum: 0, default: 3 })).toMatchObject({ rules: [], default: null });
  });

  it('of one alternative are not shown as those of all', () => {
    expect(
      input({
        anyOf: [
          { type: 'string', pattern: 'a' },
          { type: 'integer', minimum: 1 },
        ],
      }).rules,
    ).toEqual([]);
  });
});

describe('a field', () => {
  it('lists the values of an enumeration, also of one that can be null, and of one in an array', () => {
    const color = { $ref: '#/components/schemas/Color' };
    expect(input(color)).toMatchObject({ type: 'string', values: ['RED', 'BLUE'] });
    expect(input({ anyOf: [color, { type: 'null' }] })).toMatchObject({
      type: 'string or null',
      values: ['RED', 'BLUE'],
    });
    expect(input({ type: ['string', 'null'], enum: ['RED', null] })).toMatchObject({
      type: 'string or null',
      values: ['RED'],
    });
    expect(input({ type: 'array', items: color })).toMatchObject({ type: 'array of strings', values: ['RED', 'BLUE'] });
  });

  it('shows its default, and the description beside a reference', () => {
    const schema = { $ref: '#/components/schemas/Color', default: 'RED', description: 'Of the shirt' };
    expect(input(schema)).toMatchObject({ default: '"RED"', description: 'Of the shirt', isRequired: true });
  });

  it('contains the fields of its object, or of the objects in its array', () => {
    const point = { $ref: '#/components/schemas/Point' };
    const inner = [
      { label: null, fields: [expect.objectContaining({ name: 'x', type: 'integer', isRequired: true })] },
    ];
    expect(input(point).kinds).toEqual(inner);
    expect(input({ type: 'array', items: point }).kinds).toEqual(inner);
    expect(input({ anyOf: [point, { type: 'null' }] }).kinds).toEqual(inner);
    expect(input({ ...schemas.Point, type: ['object', 'null'] }).kinds).toEqual(inner);
    expect(input({ type: 'string' }).kinds).toEqual([]);
  });

  it('tells kinds of objects apart by their constant', () => {
    const kind = (value: string): Schema => ({
      type: 'object',
      properties: { type: { type: 'string', const: value } },
    });
    const { kinds } = input({ oneOf: [kind('BEARER'), kind('BASIC')] });
    expect(kinds.map(({ label }) => label)).toEqual(['type: "BEARER"', 'type: "BASIC"']);
  });

  it('ends although its schema contains itself', () => {
    let [deepest] = describeFields({ $ref: '#/components/schemas/Tree' }, { schemas, isInput: true });
    let depth = 0;
    for (; deepest !== undefined; depth++) deepest = deepest.kinds[0]?.fields[0];
    expect(depth).toBeLessThan(10);
  });
});
