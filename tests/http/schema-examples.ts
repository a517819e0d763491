import * as z from 'zod';
import { exampleOf } from '@/lib/api/openapi/examples';
import { SchemaCollection } from '@/lib/api/openapi/schemas';

/** Returns valid values of a field: every choice, or the example that the OpenAPI document shows, and null where it is allowed. */
export function examplesOf(field: z.ZodType, name: string): unknown[] {
  const schemas = new SchemaCollection();
  const described = schemas.describe(field, 'input');
  const { enum: choices, type } = schemas.resolve(described) as { enum?: unknown[]; type?: unknown };
  const values = choices ?? (type === 'boolean' ? [true, false] : [exampleOf(described, schemas.components, name)]);
  return field.safeParse(null).success && !values.includes(null) ? [...values, null] : values;
}

/** Returns a valid body: the examples of the required fields, or of the first one that can be given. */
export function exampleBody(body: z.ZodType): Record<string, unknown> {
  if (!(body instanceof z.ZodObject)) throw new Error('not an object');
  const fields = Object.entries<z.ZodType>(body.shape);
  const required = fields.filter(([, field]) => !field.safeParse(undefined).success);
  const given = required.length > 0 ? required : fields.slice(0, 1);
  return Object.fromEntries(given.map(([name, field]) => [name, examplesOf(field, name)[0]]));
}
