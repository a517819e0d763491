import { describe, expect, it } from 'vitest';
import { JsonValue } from '@/lib/events/json/json-value';
import { assertSchema } from './assert-schema';
import { readSchema, SchemaFault } from './json-schema';

function faultOf(schema: unknown): { at: string; message: string } | null {
  try {
    readSchema(JSON.stringify(schema));
    return null;
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    return { at: error.at, message: error.message };
  }
}
const nested = (levels: number): unknown => (levels === 1 ? {} : { items: nested(levels - 1) });

describe('a schema', () => {
  it.each([
    ['a pattern', { properties: { id: { pattern: '^a' } } }, 'properties.id.pattern'],
    ['patternProperties', { patternProperties: {} }, 'patternProperties'],
    ['a remote reference', { items: { $ref: 'https://example.com/a.json' } }, 'items.$ref'],
    ['a reference to another file', { $ref: 'other.json#/a' }, '$ref'],
    ['a reference to nothing', { $ref: '#/$defs/none' }, '$ref'],
    ['a reference to what is no schema', { $ref: '#/default', default: {} }, '$ref'],
    ['an anchor', { $ref: '#name' }, '$ref'],
    ['$dynamicRef', { $dynamicRef: '#a' }, '$dynamicRef'],
    ['a recursive reference', { properties: { next: { $ref: '#' } } }, ''],
    [
      'references in a circle',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { not: { $ref: '#/$defs/a' } } } },
      '$defs.a.$ref',
    ],
    ['an unknown keyword', { properties: { a: { requried: [] } } }, 'properties.a.requried'],
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, '$schema'],
    ['a type that does not exist', { type: 'text' }, 'type'],
    ['a bound that is no number', { minimum: '1' }, 'minimum'],
    ['a size below zero', { maxLength: -1 }, 'maxLength'],
    ['a factor of zero', { multipleOf: 0 }, 'multipleOf'],
    ['required names that are none', { required: ['a', 1] }, 'required.1'],
    ['a schema that is none', { items: 1 }, 'items'],
    ['no schemas in anyOf', { anyOf: [] }, 'anyOf'],
  ])('with %s is refused, with the place', (_what, schema, at) => {
    expect(faultOf(schema)?.at).toBe(at);
  });

  it('has at most 500 subschemas, 16 levels and 1,000 values of enum', () => {
    const wide = (count: number) => ({ anyOf: Array.from({ length: count }, () => true) });
    expect(faultOf(wide(499))).toBeNull();
    expect(faultOf(wide(500))?.message).toContain('500');
    expect(faultOf(nested(16))).toBeNull();
    expect(faultOf(nested(17))?.message).toContain('16');
    const values = (count: number) => Array.from({ length: count }, (_, n) => n);
    expect(faultOf({ items: { enum: values(600) }, enum: values(400) })).toBeNull();
    expect(faultOf({ items: { enum: values(600) }, enum: values(401) })?.message).toContain('1000');
  });

  it('has values of at most 256 levels', () => {
    const lists = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(faultOf({ const: lists(256) })).toBeNull();
    expect(faultOf({ const: lists(257) })?.message).toContain('too large to be compared');
  });

  it('that is stored with deeper values has them equal none, and compares the others', () => {
    const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    const node = readSchema(`{"enum":[1,${lists(257)}]}`, true);
    const isValid = (data: string) =>
      assertSchema(
        node,
        JsonValue.of(data),
        () => false,
        () => undefined,
      );
    expect([lists(257), lists(258), '1', '2'].map(isValid)).toEqual([false, false, true, false]);
  });

  it('with long names is read in milliseconds', () => {
    const name = 'n'.repeat(50_000);
    const all = Array.from({ length: 240 }, () => ({ items: {} }));
    const text = JSON.stringify({ properties: { [name]: { allOf: all } }, $ref: '#/properties' });
    expect(faultOf({})).toBeNull();
    const startedAt = process.cpuUsage();
    expect(faultOf(JSON.parse(text))?.at).toBe('$ref');
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(50);
  });

  it('is as deep as what it refers to', () => {
    const chain = (links: number) => ({
      $defs: Object.fromEntries(
        Array.from({ length: links }, (_, n) => [
          `d${n}`,
          n === links - 1 ? {} : { items: { $ref: `#/$defs/d${n + 1}` } },
        ]),
      ),
      $ref: '#/$defs/d0',
    });
    expect(faultOf(chain(15))).toBeNull();
    expect(faultOf(chain(40))?.message).toContain('16');
  });

  it('may refer to itself by any pointer, and say what checks nothing', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/order',
      title: 'Order',
      'x-owner': { team: 'billing' },
      properties: {
        'a/b~c d': { type: 'string', format: 'email', examples: ['a@b.example'] },
        copy: { $ref: '#/properties/a~1b~0c%20d' },
      },
    };
    expect(faultOf(schema)).toBeNull();
  });

  it('refers to the elements of a list by their places', () => {
    const listOf = (pointer: string) => ({ anyOf: [{ type: 'string' }, { items: { $ref: pointer } }] });
    expect(faultOf(listOf('#/anyOf/0'))).toBeNull();
    for (const pointer of ['#/anyOf/', '#/anyOf/00', '#/anyOf/2', '#/anyOf']) {
      expect(faultOf(listOf(pointer))?.at).toBe('anyOf.1.items.$ref');
    }
  });

  it('with long names takes no more memory and time than another', () => {
    const long = JSON.stringify({
      properties: { ['n'.repeat(60_000)]: { allOf: Array.from({ length: 480 }, () => ({})) } },
    });
    readSchema(long);
    const before = { cpu: process.cpuUsage(), heap: process.memoryUsage().heapUsed };
    const kept = Array.from({ length: 5 }, () => readSchema(long));
    expect(process.cpuUsage(before.cpu).user / 1_000 / kept.length).toBeLessThan(50);
    expect((process.memoryUsage().heapUsed - before.heap) / kept.length).toBeLessThan(8 * 1024 * 1024);
  });

  it('names the place of a fault in short', () => {
    expect(faultOf({ properties: { ['n'.repeat(60_000)]: { pattern: 'x' } } })?.at).toBe(
      `properties.${'n'.repeat(100)}….pattern`,
    );
  });
});
