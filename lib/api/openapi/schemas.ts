import * as z from 'zod';
import { Problem } from '@/lib/http/problem-schema';
import type { JsonSchema } from './json-schema';
import { portablePattern } from './portable-pattern';
import { SCHEMA_MODULES } from './schema-modules';

const MODULES = [...Object.values(SCHEMA_MODULES), { Problem }];

/** Texts and lists are plainer where they are used. Query parameters are described one by one. */
const isNamed = (name: string, schema: unknown): schema is z.ZodType =>
  (schema instanceof z.ZodObject || schema instanceof z.ZodEnum || schema instanceof z.ZodUnion) &&
  !name.endsWith('Query');

/** The names of schemas: those under which their module exports them. */
const NAMES = new Map<z.core.$ZodType, string>(
  MODULES.flatMap((module) =>
    Object.entries<unknown>(module).flatMap(([name, value]) => (isNamed(name, value) ? [[value, name] as const] : [])),
  ),
);

/** zod's metadata of each schema. The name is the id under which `toJSONSchema` describes it once. */
const METADATA = {
  get(schema: z.core.$ZodType) {
    const known = z.globalRegistry.get(schema);
    const id = NAMES.get(schema);
    return id === undefined ? known : { ...known, id };
  },
} as unknown as z.core.$ZodRegistry<Record<string, unknown>>;

/** Collects the named schemas that a document refers to. */
export class SchemaCollection {
  /** By name. */
  readonly components: Record<string, JsonSchema> = {};

  /**
   * Describes a schema in JSON Schema 2020-12, as OpenAPI 3.1 uses it. Named schemas become references.
   * @param io `input`: what a client may send; `output`: what the server responds
   * @throws Error when two schemas have the same name but not the same content
   */
  describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...described
    } = z.toJSONSchema(schema, {
      io,
      metadata: METADATA,
      unrepresentable: 'any',
      override: ({ jsonSchema, zodSchema }) => tidy(jsonSchema, zodSchema),
    });
    for (const [name, definition] of Object.entries($defs)) this.add(name, refer(definition) as JsonSchema);
    return refer(described) as JsonSchema;
  }

  /** Returns the schema that a reference names; any other schema as it is. */
  resolve(schema: JsonSchema): JsonSchema {
    const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
    return name === undefined ? schema : (this.components[name] ?? {});
  }

  /** Names the page of a list after its items. Other schemas stay as they are. */
  namePage(schema: JsonSchema): JsonSchema {
    const { data, nextCursor } = (schema.properties ?? {}) as Record<string, { items?: JsonSchema }>;
    if (typeof data?.items?.$ref !== 'string' || nextCursor === undefined) return schema;
    const $ref = `${data.items.$ref}Page`;
    this.add($ref.split('/').at(-1) ?? '', schema);
    return { $ref };
  }

  private add(name: string, { id: _, ...definition }: JsonSchema): void {
    const present = this.components[name];
    if (present !== undefined && JSON.stringify(present) !== JSON.stringify(definition)) {
      throw new Error(`two schemas have the name ${name}`);
    }
    this.components[name] = definition;
  }
}

/** `meta({ openapi })` replaces what zod derives, for a query parameter that is parsed from text. */
function tidy(jsonSchema: JsonSchema, zodSchema: z.core.$ZodType): void {
  const known = z.globalRegistry.get(zodSchema) as
    | { openapi?: JsonSchema; description?: string; examples?: unknown[] }
    | undefined;
  if (known?.openapi !== undefined) {
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    const { description } = known;
    Object.assign(jsonSchema, description === undefined ? {} : { description }, known.openapi);
  }
  if (zodSchema instanceof z.ZodDefault && known?.openapi === undefined) describeDefault(jsonSchema, zodSchema, known);
  // zod drops the examples of a text that it transforms, but they are what a client sends.
  if (known?.examples !== undefined) jsonSchema.examples = known.examples;
  // Generators do not know tuples. Ours are pairs of texts.
  if (Array.isArray(jsonSchema.prefixItems)) {
    jsonSchema.items = jsonSchema.prefixItems[0];
    delete jsonSchema.prefixItems;
  }
  joinNull(jsonSchema);
  if (zodSchema instanceof z.ZodDiscriminatedUnion) jsonSchema.discriminator = describeDiscriminator(zodSchema);
  // A format tells readers and generators more than its pattern, and these bounds hold for every JavaScript integer.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  else if (typeof jsonSchema.pattern === 'string') jsonSchema.pattern = portablePattern(jsonSchema.pattern);
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** Says the default in words: beside a reference it is ignored, and generators make a field with one required. */
function describeDefault(
  jsonSchema: JsonSchema,
  { def }: z.ZodDefault,
  known: { description?: string } | undefined,
): void {
  const value = typeof def.defaultValue === 'string' ? def.defaultValue : JSON.stringify(def.defaultValue);
  const meaning = known?.description ?? jsonSchema.description;
  jsonSchema.description = `${meaning}. Default: \`${value}\``;
  delete jsonSchema.default;
}

/**
 * Tells which property names the variant of a union, and which schema each of its values stands for.
 * @throws Error for a variant that is not exported: OpenAPI knows only named ones
 */
function describeDiscriminator({ def, options }: z.ZodDiscriminatedUnion): JsonSchema {
  const mapping = options.flatMap((variant) => {
    const name = NAMES.get(variant);
    if (name === undefined) throw new Error(`a variant by ${def.discriminator} has no name`);
    const values = variant._zod.propValues?.[def.discriminator] ?? [];
    return [...values].map((value) => [value, `#/components/schemas/${name}`] as const);
  });
  return { propertyName: def.discriminator, mapping: Object.fromEntries(mapping) };
}

/**
 * Writes a value or null as one schema with two types. Generators make a class of a union. A reference stays one: it keeps the name of
 * what it refers to.
 */
function joinNull(jsonSchema: JsonSchema): void {
  const [value, end, ...others] = (jsonSchema.anyOf ?? []) as JsonSchema[];
  if (typeof value?.type !== 'string' || value.const !== undefined) return;
  if (end?.type !== 'null' || others.length > 0) return;
  const outer = { ...jsonSchema };
  delete outer.anyOf;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, value, outer, { type: [value.type, 'null'] });
  if (Array.isArray(value.enum)) jsonSchema.enum = [...value.enum, null];
}

/** Points zod's references to the components of the document. */
function refer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refer);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === '$ref' && typeof each === 'string' ? each.replace('#/$defs/', '#/components/schemas/') : refer(each),
    ]),
  );
}
