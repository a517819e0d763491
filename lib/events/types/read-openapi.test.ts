import { describe, expect, it, vi } from 'vitest';
import { Fingerprinter } from '@/lib/events/json/fingerprint';
import { readSchema } from './json-schema';
import { describeWebhook, openDocument } from './read-openapi';
import { joinOpenApi, writeType } from './write-openapi';

const json = (value: unknown) => JSON.stringify(value);
const webhook = (schema: string) => `{"post":{"requestBody":{"content":{"application/json":{"schema":${schema}}}}}}`;
const documentOf = (webhooks: string[], more: string) =>
  `{"openapi":"3.1.0","webhooks":{${webhooks.map((each, index) => `"w${index}":${each}`).join(',')}},${more}}`;
const componentsOf = (schemas: Record<string, string>) =>
  `"components":{"schemas":{${Object.entries(schemas).map(([name, schema]) => `${json(name)}:${schema}`)}}}`;
const refTo = (name: string) => json({ $ref: `#/components/schemas/${name}` });

/** Describes the webhooks of a document. @returns their schemas, or what is wrong with them */
function read(document: string): unknown[] {
  const { reader, webhooks } = openDocument(document);
  return webhooks.map(([name, given]) => {
    try {
      const { schema } = describeWebhook(reader, name, given);
      return schema === undefined ? undefined : JSON.parse(schema);
    } catch (error) {
      return (error as Error).message;
    }
  });
}

/** Returns the milliseconds that a document keeps the thread at least. */
function timeOf(document: string): number {
  const times = Array.from({ length: 3 }, () => {
    const startedAt = performance.now();
    read(document);
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}

describe('a component with the name of a definition', () => {
  it('gets a number, which no definition has', () => {
    const own = `{"$defs":{"A":{"const":1},"A_2":{"const":2}},"allOf":[${refTo('A')},${refTo('A_2')},${refTo('B')}]}`;
    const A = '{"const":"a"}';
    const document = documentOf([webhook(refTo('S'))], componentsOf({ S: own, A, A_2: '{"const":"a2"}', B: A }));
    expect(read(document)).toEqual([
      {
        allOf: [{ $ref: '#/$defs/A_3' }, { $ref: '#/$defs/A_2_2' }, { $ref: '#/$defs/B' }],
        $defs: { A: { const: 1 }, A_2: { const: 2 }, A_3: { const: 'a' }, A_2_2: { const: 'a2' }, B: { const: 'a' } },
      },
    ]);
  });

  it('is named at once, whatever the others are called', () => {
    const names = Array.from({ length: 480 }, (_, index) => `A${'_'.repeat(index)}`);
    const own = `{"$defs":{${names.map((name) => `${json(name)}:{}`)}},"allOf":[${names.map(refTo)}]}`;
    const components = componentsOf({ S: own, ...Object.fromEntries(names.map((name) => [name, '{}'])) });
    expect(timeOf(documentOf(Array(10).fill(webhook(refTo('S'))), components))).toBeLessThan(400);
  });
});

it('a reference may have any name of a component, escaped as in a JSON pointer and a URL', () => {
  const names = {
    'Page<Item>': 'Page%3CItem%3E',
    'a/b': 'a~1b',
    'a~b': 'a~0b',
    'a b': 'a%20b',
    'a%b': 'a%25b',
    é: 'é',
  };
  const refs = Object.values(names);
  const own = `{"allOf":[${[...refs, 'Page%3Cother%3E/properties/x', 'Page<Item>'].map(refTo)}]}`;
  const schemas = Object.fromEntries(Object.keys(names).map((name) => [name, json({ title: name })]));
  const other = { 'Page<other>': '{"properties":{"x":{}}}' };
  const [schema] = read(documentOf([webhook(own)], componentsOf({ ...schemas, ...other })));
  expect(schema).toEqual({
    allOf: [...refs, 'Page%3Cother%3E/properties/x', 'Page%3CItem%3E'].map((ref) => ({ $ref: `#/$defs/${ref}` })),
    $defs: {
      ...Object.fromEntries(Object.keys(names).map((name) => [name, { title: name }])),
      'Page<other>': { properties: { x: {} } },
    },
  });
  expect(() => readSchema(json(schema))).not.toThrow();
  const unknown = documentOf([webhook(refTo('a%3Cb'))], componentsOf(schemas));
  expect(read(unknown)).toEqual(['refers to #/components/schemas/a%3Cb, which the document does not have']);
  expect(read(documentOf([webhook(`{"not":${refTo('a%')}}`)], componentsOf(schemas)))).toEqual([
    'refers to #/components/schemas/a%, which is not a JSON pointer',
  ]);
});

describe('the media types of a content', () => {
  const typesOf = (count: number) => Array.from({ length: count }, (_, index) => `"text/${index}":{}`).join(',');
  const JSON_OF_ONE = '"application/json":{"schema":{"const":1}}';
  const documentWith = (content: string) =>
    documentOf(Array(100).fill('{"post":{"requestBody":{"$ref":"#/shared"}}}'), `"shared":{"content":{${content}}}`);

  it('may have JSON among the first 20', () => {
    expect(read(documentWith(`${typesOf(19)},${JSON_OF_ONE}`))).toEqual(Array(100).fill({ const: 1 }));
    expect(read(documentWith(`${typesOf(20)},${JSON_OF_ONE}`))).toEqual(Array(100).fill(undefined));
  });

  it.each([
    ['different names', typesOf(20_000)],
    ['one name', Array(20_000).fill('"text/0":{}').join(',')],
  ])('take each webhook as long for 20,000 of %s as for 20', (_, types) => {
    const timeOfAll = (content: string) => {
      const { reader, webhooks } = openDocument(documentWith(content));
      const times = Array.from({ length: 4 }, () => {
        const startedAt = performance.now();
        for (const [name, given] of webhooks) describeWebhook(reader, name, given);
        return performance.now() - startedAt;
      });
      return Math.min(...times);
    };
    expect(timeOfAll(types) / timeOfAll(typesOf(20))).toBeLessThan(10);
  });
});

describe('a reference', () => {
  const LONG = 'refers to #/x';
  const limit = 'a reference has at most 2,048 characters and 64 parts';

  it.each([
    ['2,049 characters', `#/x/${'a'.repeat(2_045)}`],
    ['65 parts', `#/x${'/a'.repeat(64)}`],
    ['65 parts that are escaped', `#/x${'%2Fa'.repeat(64)}`],
  ])('has not %s', (_, $ref) => {
    const [message] = read(documentOf([json({ $ref })], '"x":{}'));
    expect(message).toContain(LONG);
    expect(message).toContain(limit);
  });

  it('has up to 64 parts', () => {
    const nested = `${'{"a":'.repeat(63)}${webhook('{"const":1}')}${'}'.repeat(63)}`;
    expect(read(documentOf([json({ $ref: `#/x${'/a'.repeat(63)}` })], `"x":${nested}`))).toEqual([{ const: 1 }]);
  });

  it('is refused at once when it is longer', () => {
    const long = `"w":{"$ref":"#/x${'/a'.repeat(400_000)}"}`;
    expect(timeOf(documentOf(Array(20).fill('{"$ref":"#/w"}'), long))).toBeLessThan(400);
  });
});

it('reads no member of a schema that is too large', () => {
  const many = Array.from({ length: 60_000 }, (_, index) => `"${index}":0`).join(',');
  const named = vi.spyOn(Fingerprinter.prototype, 'name');
  const [message] = read(documentOf([webhook(refTo('S'))], componentsOf({ S: `{${many}}` })));
  expect(message).toContain('more than 64 KiB');
  expect(named.mock.calls.length).toBeLessThan(100);
  named.mockRestore();
});

it('a schema that becomes too large is not written to its end', () => {
  const A = json({ description: 'x'.repeat(60_000) });
  const [message] = read(documentOf([webhook(`{"allOf":[${refTo('A')},${refTo('B')}]}`)], componentsOf({ A, B: A })));
  expect(message).toContain('more than 64 KiB');
  expect(read(documentOf([webhook(json('x'.repeat(65_536)))], '"x":1'))).toEqual([message]);
  const text = 'x'.repeat(65_536 - '{"description":""}'.length);
  expect(read(documentOf([webhook(json({ description: text }))], '"x":1'))).toEqual([{ description: text }]);
  expect(read(documentOf([webhook(json({ description: `${text}x` }))], '"x":1'))).toEqual([message]);
});

it('an exported type has the schema that it had, or none', () => {
  const schemas = [null, '{"type":"object"}', '{"type":"object","required":["id"]}'];
  const parts = schemas.map((schema, index) =>
    writeType({ name: `t${index}`, description: null, group: null, status: 'ACTIVE', schema, example: null }),
  );
  const exported = joinOpenApi('Shop', '1', parts).toString();
  expect(read(exported)).toEqual([undefined, { type: 'object' }, { type: 'object', required: ['id'] }]);
});
