import type { Schema, Schemas } from '@/components/docs/api/document-types';

/** Follows a reference. A description beside it wins over that of the named schema. */
export function resolveSchema(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  return { ...resolveSchema(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas), ...beside };
}

/** Returns the schemas of which a value satisfies one: those of a union, or one for each type. */
export function alternativesOf(schema: Schema, schemas: Schemas): Schema[] {
  const resolved = resolveSchema(schema, schemas);
  const { anyOf, oneOf, type, ...rest } = resolved;
  const union = anyOf ?? oneOf;
  if (union !== undefined) return union.flatMap((each) => alternativesOf(each, schemas));
  if (Array.isArray(type)) return type.map((each) => ({ ...rest, type: each }));
  return [resolved];
}
