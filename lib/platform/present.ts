import type * as z from 'zod';

/** A value as a row holds it: a time of a message is a Date. */
type Stored<Value> = Value extends string ? Value | Date : Value;

/** Returns the fields of a row that a schema has, with times as messages write them. The types ensure that the row has each. */
export function present<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  row: { [Name in keyof z.output<z.ZodObject<Shape>>]: Stored<z.output<z.ZodObject<Shape>>[Name]> },
): z.output<z.ZodObject<Shape>> {
  const stored: Readonly<Record<string, unknown>> = row;
  const shown = Object.keys(schema.shape).map((name) => {
    const value = stored[name];
    return [name, value instanceof Date ? value.toISOString() : value] as const;
  });
  return Object.fromEntries(shown) as z.output<z.ZodObject<Shape>>;
}

type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;

/** By the names of columns, of which the code has a few hundred. */
const camelNames = new Map<string, string>();

/** Returns a row with the names of its columns as messages have them: `created_at` as `createdAt`. */
export function inCamelCase<Row extends object>(row: Row): { [Name in keyof Row as Camel<Name>]: Row[Name] } {
  const renamed = Object.entries(row).map(([name, value]) => [camelNames.get(name) ?? toCamelCase(name), value]);
  return Object.fromEntries(renamed);
}

function toCamelCase(name: string): string {
  const camelName = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  camelNames.set(name, camelName);
  return camelName;
}

/**
 * Returns a body as text, or in Base64 when it is not UTF-8; nothing of one that is null.
 * @param isCut whether these bytes are the start of a longer body: a character that is cut off is left out
 */
export function presentBody(
  bytes: Uint8Array | null,
  isCut = false,
): { body: string | null; bodyBase64: string | null } {
  if (bytes === null) return { body: null, bodyBase64: null };
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { body: decoder.decode(bytes, { stream: isCut }), bodyBase64: null };
  } catch {
    return { body: null, bodyBase64: Buffer.from(bytes).toString('base64') };
  }
}
