import { afterEach, expect, it, vi } from 'vitest';
import { JsonValue } from '@/lib/events/json/json-value';
import { SchemaInference } from './infer-schema';

afterEach(() => vi.restoreAllMocks());

/** Proposes a schema of values that are given as JSON. */
function infer(...values: string[]) {
  const inference = new SchemaInference();
  for (const value of values) inference.add(value);
  return inference.propose();
}
const objectOf = (members: number, value = '1') =>
  `{${Array.from({ length: members }, (_, index) => `"k${index}":${value}`)}}`;

it('knows each type, and a whole number as JSON.parse reads it', () => {
  const types = ['"a"', '1', '1.0', '1e2', '-0', '1.5', '1e-3', '1e400', 'true', 'null', '{}', '[]'].map(
    (value) => infer(value).type,
  );
  expect(types).toEqual([
    'string',
    ...Array(4).fill('integer'),
    ...Array(3).fill('number'),
    'boolean',
    'null',
    'object',
    'array',
  ]);
});

it('proposes the members of up to 60 names, and none of an object that is like a map', () => {
  expect(Object.keys(infer(objectOf(60)).properties as object)).toHaveLength(60);
  expect(infer(objectOf(61))).toEqual({ type: 'object' });
  expect(infer(objectOf(60), '{"other":1}')).toEqual({ type: 'object' });
});

it('knows the last one of a name, escaped names too', () => {
  expect(infer('{"a":"b","\\u0061":1}')).toEqual({
    type: 'object',
    properties: { a: { type: 'integer' } },
    required: ['a'],
  });
});

it('knows the format that all strings have', () => {
  expect(infer('"2026-01-31"', '"2026-01-\\u0033\\u0031"')).toEqual({ type: 'string', format: 'date' });
  expect(infer('"2026-01-31"', '"https://example.com"')).toEqual({ type: 'string' });
});

it('looks at 50 elements and 10 levels', () => {
  const elements = [...Array(50).fill('1'), '"a"'];
  expect(infer(`[${elements}]`)).toEqual({ type: 'array', items: { type: 'integer' } });
  const deep = infer(`${'{"a":'.repeat(12)}1${'}'.repeat(12)}`);
  expect(JSON.stringify(deep).split('"a":')).toHaveLength(10);
});

it('reads no more members than a proposal has', () => {
  const many = `{"a":${objectOf(28_000)}}`;
  infer(many);
  const startedAt = performance.now();
  for (let time = 0; time < 20; time += 1) infer(many);
  // With all members, one takes 30 ms.
  expect(performance.now() - startedAt).toBeLessThan(300);
});

const times = (count: number, value: string) => `[${Array(count).fill(value)}]`;

it('looks at 2,000 values of an event', () => {
  const kind = vi.spyOn(JsonValue.prototype, 'kind', 'get');
  infer(`{"a":${times(16, times(50, times(50, '[[0]]')))}}`);
  // All of them take a million.
  expect(kind.mock.calls.length).toBeLessThan(20_000);
});

it('looks at what is in few levels first', () => {
  const schema = infer(`{"lines":${times(50, objectOf(60))},"total":1}`);
  expect(schema).toMatchObject({ properties: { total: { type: 'integer' } }, required: ['lines', 'total'] });
});

it('requires the members that all objects have whose members it has looked at', () => {
  const { properties } = infer(`{"lines":${times(50, objectOf(60))}}`) as { properties: { lines: { items: object } } };
  expect(properties.lines.items).toMatchObject({ required: Array.from({ length: 60 }, (_, index) => `k${index}`) });
  expect(infer('{"a":1,"b":1}', '{"a":1}')).toMatchObject({ required: ['a'] });
});
