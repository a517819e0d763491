import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { JsonSchema } from '@/lib/api/openapi/json-schema';
import { SCHEMA_MODULES } from '@/lib/api/openapi/schema-modules';
import { SchemaCollection } from '@/lib/api/openapi/schemas';
import { Problem } from '@/lib/http/problem-schema';
import { ERRORS } from '@/lib/platform/errors';
import { PageQuery } from '@/lib/platform/pagination';
import { docComment, TypePrinter } from './print-type';

const LINE_CHARS = 100;

/** How the client uses a schema: as the parameters of a query, the body of a request, or a part of a response. */
export type Use = 'query' | 'body' | 'response';

const NAMED: Record<string, unknown> = Object.assign({ PageQuery }, ...Object.values(SCHEMA_MODULES));

/**
 * Prints the types that the client takes from the service, and those that they refer to, in alphabetical order.
 * @param uses how the client uses each name
 * @throws Error for a name that is not exported by a schema module
 */
export function printDeclarations(uses: ReadonlyMap<string, Use>): string {
  const collection = new SchemaCollection();
  const described = new Map([...uses].map(([name, use]) => [name, describe(collection, name, use)]));
  const printer = new TypePrinter(collection.components);
  const comments = readComments();
  const printed = new Map<string, string>();
  const print = (name: string, text: string) => printed.set(name, `${comments.get(name) ?? ''}export ${text}\n`);
  for (const [name, schema] of described) {
    if (name === 'ErrorCode') print(name, `type ErrorCode =${errorCodes()};`);
    else
      print(name, uses.get(name) === 'query' ? printQuery(printer, name, schema) : printNamed(printer, name, schema));
  }
  // Printing a type may use further ones, which the loop over the set then reaches.
  for (const name of printer.used) {
    if (!printed.has(name)) print(name, printNamed(printer, name, collection.components[name] ?? {}));
  }
  return [...printed]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text)
    .join('\n');
}

function describe(collection: SchemaCollection, name: string, use: Use): JsonSchema {
  if (name === 'ErrorCode') return {};
  const schema = name === 'FieldFault' ? Problem.shape.errors.unwrap().element : NAMED[name];
  if (!(schema instanceof z.ZodType)) throw new Error(`no schema module exports ${name}`);
  const described = collection.describe(schema, use === 'response' ? 'output' : 'input');
  return collection.components[name] ?? described;
}

function printNamed(printer: TypePrinter, name: string, schema: JsonSchema): string {
  if (schema.properties !== undefined) return `interface ${name} ${printer.members(schema)}`;
  const type = printer.print(schema);
  const isLong = type.length > LINE_CHARS && !type.includes('\n');
  return isLong ? `type ${name} =\n  | ${type.replaceAll(' | ', '\n  | ')};` : `type ${name} = ${type};`;
}

/** Callers give a time as text or Date, and a number or boolean as such; the client writes it into the query. */
function printQuery(printer: TypePrinter, name: string, schema: JsonSchema): string {
  const members = printer.members({ ...schema, required: [] }, (value) => {
    if (value.format === 'date-time') return 'Date | string';
    return printer.print(value);
  });
  return `interface ${name} ${members}`;
}

function errorCodes(): string {
  const codes = Object.entries(ERRORS).map(([code, [, meaning]]) => `\n  ${docComment(meaning).trim()}\n  | '${code}'`);
  return codes.join('');
}

/** Reads the comments above the exported names. What points into the documents of the service is left out. */
function readComments(): Map<string, string> {
  const files = [...Object.keys(SCHEMA_MODULES), 'lib/platform/pagination', 'lib/platform/errors'];
  const pattern = /^(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)export (?:const|interface|type) (\w+)/gm;
  const found = files.flatMap((file) => [...readFileSync(`${file}.ts`, 'utf8').matchAll(pattern)]);
  return new Map(
    found.map(([, comment = '', name = '']) => [name, comment.replaceAll(/ \((?:docs|lib)\/[^)]*\)/g, '')]),
  );
}
