import type { Schema, Schemas } from '@/components/docs/api/document-types';
import { alternativesOf } from './resolve-schema';

const FORMATS: Record<string, string> = {
  uuid: 'UUID',
  'date-time': 'RFC 3339 time',
  date: 'date',
  email: 'email address',
  uri: 'URL',
};

/** Returns the type of a schema in words: "integer", "UUID or null", "array of objects". */
export function describeType(schema: Schema, schemas: Schemas): string {
  return joinTypes(alternativesOf(schema, schemas).map((each) => describeOne(each, schemas)));
}

function joinTypes(names: string[]): string {
  // Any text includes the texts that are named.
  const isNamed = (name: string) => name.startsWith('"') && names.includes('string');
  const distinct = [...new Set(names)].filter((name) => name !== 'null' && !isNamed(name));
  if (names.includes('null')) distinct.push('null');
  const last = distinct.pop() ?? 'any value';
  return distinct.length === 0 ? last : `${distinct.join(', ')} or ${last}`;
}

function describeOne(schema: Schema, schemas: Schemas): string {
  const { type, format, items, minItems, maxItems, properties, additionalProperties } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (type === 'array') {
    if (minItems === 2 && maxItems === 2) return 'pair';
    return `array of ${pluralOf(describeType(items ?? {}, schemas))}`;
  }
  if (type === 'object' && properties === undefined && typeof additionalProperties === 'object') {
    const values = describeType(additionalProperties, schemas);
    return values === 'any value' ? 'object' : `object of ${pluralOf(values)}`;
  }
  if (format !== undefined && FORMATS[format] !== undefined) return FORMATS[format];
  return typeof type === 'string' ? type : 'any value';
}

function pluralOf(name: string): string {
  if (name.includes(' or ')) return `values (${name})`;
  const [first = '', ...rest] = name.split(' ');
  // "array of integers" → "arrays of integers"; "RFC 3339 time" → "RFC 3339 times".
  if (rest[0] === 'of') return [`${first}s`, ...rest].join(' ');
  if (name.endsWith('address')) return `${name}es`;
  return `${name}s`;
}
