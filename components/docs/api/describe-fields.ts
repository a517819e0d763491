import type { Schema, Schemas } from './document-types';

/** A parameter, or a field of a body, as one row of the reference. */
export interface Field {
  name: string;
  /** In words: "integer", "UUID or null", "array of objects". */
  type: string;
  isRequired: boolean;
  /** Names in backticks are code. */
  description: string | null;
  /** What a value must satisfy, such as "1 to 100 characters". */
  rules: string[];
  /** The only values it can have; empty when there are others. */
  values: string[];
  default: string | null;
  /** The fields of an object, or of the objects in an array; several when there are kinds of objects. */
  kinds: FieldKind[];
}

export interface FieldKind {
  /** What tells the kind from others, such as `type: "BEARER"`; null for the only one. */
  label: string | null;
  fields: Field[];
}

const FORMATS: Record<string, string> = {
  uuid: 'UUID',
  'date-time': 'RFC 3339 time',
  date: 'date',
  email: 'email address',
  uri: 'URL',
};

/** Deeper objects are shown without their fields, so that a schema that contains itself ends. */
const MAX_DEPTH = 6;

interface DescribeOptions {
  schemas: Schemas;
  /** Whether clients send it. What a response must satisfy is of no use to its reader. */
  isInput: boolean;
}

/** Returns the fields of an object, or of the objects in an array, as rows; empty for other types. */
export function describeFields(schema: Schema, options: DescribeOptions): Field[] {
  return kindsOf(schema, options, 0)[0]?.fields ?? [];
}

/** Describes one parameter, or one field. */
export function describeField(
  name: string,
  schema: Schema,
  { isRequired, ...options }: DescribeOptions & { isRequired: boolean },
  depth = 0,
): Field {
  const resolved = resolveSchema(schema, options.schemas);
  const alternatives = alternativesOf(schema, options.schemas);
  const values = valuesOf(alternatives);
  const elements = alternatives.flatMap(({ items }) =>
    items === undefined ? [] : alternativesOf(items, options.schemas),
  );
  return {
    name,
    type: describeType(schema, options.schemas),
    isRequired,
    description: resolved.description ?? null,
    // The rules of an alternative hold for that alternative only.
    rules:
      options.isInput && alternatives.filter(({ type }) => type !== 'null').length === 1 ? rulesOf(alternatives) : [],
    values: values.length > 0 ? values : valuesOf(elements),
    default: options.isInput && resolved.default !== undefined ? JSON.stringify(resolved.default) : null,
    kinds: kindsOf(schema, options, depth),
  };
}

function rulesOf(alternatives: readonly Schema[]): string[] {
  return alternatives.filter(({ type }) => type !== 'null').flatMap(describeRules);
}

/** The values of an enumeration, or those of constants that are the only alternatives. */
function valuesOf(alternatives: readonly Schema[]): string[] {
  const named = alternatives.filter(({ type }) => type !== 'null');
  const isClosed = named.every((each) => each.enum !== undefined || each.const !== undefined);
  if (!isClosed || named.every((each) => each.enum === undefined)) return [];
  const values = named.flatMap((each) => each.enum ?? [each.const]);
  return values.filter((value) => value !== null).map(String);
}

function kindsOf(schema: Schema, options: DescribeOptions, depth: number): FieldKind[] {
  if (depth > MAX_DEPTH) return [];
  const objects = alternativesOf(schema, options.schemas).flatMap((each) => objectsIn(each, options.schemas));
  return objects.map((object) => ({
    label: objects.length === 1 ? null : labelOf(object, options.schemas),
    fields: Object.entries(object.properties ?? {}).map(([name, field]) =>
      describeField(name, field, { ...options, isRequired: object.required?.includes(name) ?? false }, depth + 1),
    ),
  }));
}

/** The schema itself when it has fields, those in its elements, or those of its values. */
function objectsIn(schema: Schema, schemas: Schemas): Schema[] {
  if (schema.properties !== undefined) return [schema];
  const { items, additionalProperties } = schema;
  const inner = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  return inner === undefined ? [] : alternativesOf(inner, schemas).flatMap((each) => objectsIn(each, schemas));
}

/** The constant that tells a kind of object from the others. */
function labelOf({ properties = {} }: Schema, schemas: Schemas): string | null {
  for (const [name, field] of Object.entries(properties)) {
    const value = resolveSchema(field, schemas).const;
    if (value !== undefined) return `${name}: ${JSON.stringify(value)}`;
  }
  return null;
}

/** Returns what a value of the schema must satisfy beyond its type, in words. */
function describeRules(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems, pattern } = schema;
  const lowest = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1;
  const rules = [
    range(minLength, maxLength, 'character'),
    range(lowest, maximum, null),
    range(minItems, maxItems, 'item'),
    pattern === undefined ? null : `matches \`${pattern}\``,
  ];
  return rules.filter((rule) => rule !== null);
}

/** Returns "1 to 100 characters", "at least 0", or null without bounds. */
function range(from: number | undefined, to: number | undefined, unit: string | null): string | null {
  const of = (count: number) => {
    const text = count.toLocaleString('en-US');
    return unit === null ? text : `${text} ${unit}${count === 1 ? '' : 's'}`;
  };
  if (from === undefined && to === undefined) return null;
  if (to === undefined) return `at least ${of(from ?? 0)}`;
  if (from === undefined || from === 0) return unit === null && from === 0 ? `0 to ${of(to)}` : `at most ${of(to)}`;
  return from === to ? `exactly ${of(to)}` : `${from.toLocaleString('en-US')} to ${of(to)}`;
}

/** Returns the type of a schema in words: "integer", "UUID or null", "array of objects". */
function describeType(schema: Schema, schemas: Schemas): string {
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

/** Follows a reference. A description beside it wins over that of the named schema. */
function resolveSchema(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  return { ...resolveSchema(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas), ...beside };
}

/** Returns the schemas of which a value satisfies one: those of a union, or one for each type. */
function alternativesOf(schema: Schema, schemas: Schemas): Schema[] {
  const resolved = resolveSchema(schema, schemas);
  const { anyOf, oneOf, type, ...rest } = resolved;
  const union = anyOf ?? oneOf;
  if (union !== undefined) return union.flatMap((each) => alternativesOf(each, schemas));
  if (Array.isArray(type)) return type.map((each) => (each === 'null' ? { type: each } : { ...rest, type: each }));
  return [resolved];
}
