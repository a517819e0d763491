import type { JsonValue } from '@/lib/events/json/json-value';
import { LISTS, MAPS, ONE } from './json-schema';
import { DocumentFault } from './openapi-reader';

/** Members of a schema by where schemas are below it. */
const SCHEMAS = { one: new Set<string>(ONE), lists: new Set<string>(LISTS), maps: new Set<string>(MAPS) };

/** Deeper ones are refused anyway. */
const MAX_LEVELS = 64;

/** How a schema is written. */
export interface Writing {
  /** Returns the reference in place of another. */
  rewrite: (reference: string) => string;
  /** Counts bytes before they are written. A schema has no fewer than were counted. */
  count: (bytes: number) => void;
}

/** The quotes and the colon of a member. */
const MEMBER_BYTES = 3;

/**
 * Writes a schema with other references. Everything else stays as it is written, numbers too.
 * @param skips members to leave out, of the schema itself
 * @throws DocumentFault for a schema that is too deep
 */
export function writeSchema(value: JsonValue, writing: Writing, skips: readonly string[] = [], level = 1): string {
  if (level > MAX_LEVELS) throw new DocumentFault('has a schema that is too deep');
  if (value.kind !== 'object') return writeText(value, writing);
  const members: string[] = [];
  for (const [name, member] of value.entries) {
    if (!skips.includes(name)) members.push(`${writeName(name, writing)}${writeMember(name, member, writing, level)}`);
  }
  return `{${members.join(',')}}`;
}

function writeText(value: JsonValue, { count }: Writing): string {
  count(value.size);
  return value.text;
}

function writeName(name: string, { count }: Writing): string {
  count(name.length + MEMBER_BYTES);
  return `${JSON.stringify(name)}:`;
}

function writeMember(name: string, value: JsonValue, writing: Writing, level: number): string {
  if (name === '$ref' && value.kind === 'string') return writeReference(writing.rewrite(value.string), writing);
  if (SCHEMAS.one.has(name)) return writeSchema(value, writing, [], level + 1);
  if (SCHEMAS.lists.has(name) && value.kind === 'array') {
    return `[${value.elements.map((each) => writeSchema(each, writing, [], level + 1)).join(',')}]`;
  }
  if (SCHEMAS.maps.has(name) && value.kind === 'object') return `{${writeSchemas(value, writing, level).join(',')}}`;
  return writeText(value, writing);
}

function writeReference(reference: string, { count }: Writing): string {
  count(reference.length);
  return JSON.stringify(reference);
}

/** Writes the members of an object of schemas. */
export function writeSchemas(value: JsonValue, writing: Writing, level = 1): string[] {
  const members: string[] = [];
  for (const [name, each] of value.entries) {
    members.push(`${writeName(name, writing)}${writeSchema(each, writing, [], level + 1)}`);
  }
  return members;
}

/** Writes a schema whose references are in itself as a part of a document. @param at the pointer to it there */
export function rewriteReferences(schema: JsonValue, at: string): string {
  // Its own identifier would make its references relative to it.
  const rewrite = (reference: string) => `${at}${reference.slice(1)}`;
  return writeSchema(schema, { rewrite, count: () => undefined }, ['$id', '$schema']);
}
