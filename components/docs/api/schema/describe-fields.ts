import type { Schema, Schemas } from '@/components/docs/api/document-types';
import { describeRules } from './describe-rules';
import { describeType } from './describe-type';
import type { Field, FieldKind } from './field';
import { alternativesOf, resolveSchema } from './resolve-schema';

/** Deeper objects are shown without their fields, so that a schema that contains itself ends. */
const MAX_DEPTH = 6;

export interface DescribeOptions {
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
  return named.flatMap((each) => each.enum ?? [each.const]).map(String);
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
