import type * as z from 'zod';

/**
 * Returns a schema with what the reference of the API says about it.
 * @param example a value as messages contain it; the reference derives one without it
 */
export function field<Schema extends z.ZodType>(schema: Schema, description: string, ...example: [unknown?]): Schema {
  return schema.meta(example.length === 0 ? { description } : { description, examples: example });
}
