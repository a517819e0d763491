import type { JsonValue } from '@/lib/events/json/json-value';
import { LISTS, MAPS, ONE } from './json-schema';
import { DocumentFault } from './openapi-reader';

/** Members of a schema by where schemas are below it. */
const SCHEMAS = { one: new Set<string>(ONE), lists: new Set<string>(LISTS), maps: new Set<string>(MAPS) };

/** Deeper ones are refused anyway. */
const MAX_LEVELS = 64;

type Rewrite = (reference: string) => string;

/**
 * Writes a schema with other references. Everything else stays as it is written, numbers too.
 * @param rewrite returns the reference in place of another
 * @param skips members to leave out, of the schema itself
 * @throws DocumentFault for a schema that is too deep
 */
export function writeSchema(value: JsonValue, rewrite: Rewrite, skips: readonly string[] = [], level = 1): string {
  if (level > MAX_LEVELS) throw new DocumentFault('has a schema that is too deep');
  if (value.kind !== 'object') return value.text;
  const members = [...value.entries].filter(([name]) => !skips.includes(name));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeMember(name, member, rewrite, level)}`).join(',')}}`;
}

function writeMember(name: string, value: JsonValue, rewrite: Rewrite, level: number): string {
  if (name === '$ref' && value.kind === 'string') return JSON.stringify(rewrite(value.string));
  if (SCHEMAS.one.has(name)) return writeSchema(value, rewrite, [], level + 1);
  if (SCHEMAS.lists.has(name) && value.kind === 'array') {
    return `[${value.elements.map((each) => writeSchema(each, rewrite, [], level + 1)).join(',')}]`;
  }
  if (SCHEMAS.maps.has(name) && value.kind === 'object') return `{${writeSchemas(value, rewrite, level).join(',')}}`;
  return value.text;
}

/** Writes the members of an object of schemas. */
export function writeSchemas(value: JsonValue, rewrite: Rewrite, level = 1): string[] {
  return [...value.entries].map(
    ([name, each]) => `${JSON.stringify(name)}:${writeSchema(each, rewrite, [], level + 1)}`,
  );
}

/** Writes a schema whose references are in itself as a part of a document. @param at the pointer to it there */
export function rewriteReferences(schema: JsonValue, at: string): string {
  // Its own identifier would make its references relative to it.
  return writeSchema(schema, (reference) => `${at}${reference.slice(1)}`, ['$id', '$schema']);
}
