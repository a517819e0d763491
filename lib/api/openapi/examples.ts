import { EXAMPLE_VALUES, ID, TIME } from './example-values';
import type { JsonSchema } from './json-schema';

/** Where a schema is used. */
interface Place {
  /** The name of its field; empty for a body. */
  name: string;
  /** The schema that the field belongs to; empty outside of one. */
  owner: string;
  /** The owner of the fields in it: a named schema, or the path from one. */
  within: string;
}

/**
 * Builds an example of a schema: the one that the schema declares, or one by field name, or one by type.
 * @param place the schema, with the name of its field if it has one
 * @param components the named schemas that it refers to
 */
export function exampleOf(
  place: { schema: JsonSchema; name?: string },
  components: Record<string, JsonSchema>,
): unknown {
  return make(place.schema, { name: place.name ?? '', owner: '', within: '' }, components);
}

function make(schema: JsonSchema, place: Place, components: Record<string, JsonSchema>): unknown {
  const {
    $ref,
    anyOf,
    oneOf,
    allOf,
    enum: values,
    examples,
  } = schema as {
    $ref?: string;
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    allOf?: JsonSchema[];
    enum?: unknown[];
    examples?: unknown[];
  };
  if (examples !== undefined) return examples[0];
  if ('const' in schema) return schema.const;
  if (values !== undefined) return values.includes(knownValue(place)) ? knownValue(place) : values[0];
  if ($ref !== undefined) return makeNamed($ref.split('/').at(-1) ?? '', place, components);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return makeChoice(choices, place, components);
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((each) => make(each, place, components)));
  return makeOfType(schema, place, components);
}

function makeNamed(schemaName: string, place: Place, components: Record<string, JsonSchema>): unknown {
  const known = EXAMPLE_VALUES[schemaName];
  return known ?? make(components[schemaName] ?? {}, { ...place, within: schemaName }, components);
}

function knownValue({ name, owner }: Place): unknown {
  const ofOwner = EXAMPLE_VALUES[`${owner}.${name}`];
  return ofOwner === undefined ? EXAMPLE_VALUES[name] : ofOwner;
}

/** The first choice that is not null, unless null is what the field usually has. */
function makeChoice(choices: JsonSchema[], place: Place, components: Record<string, JsonSchema>): unknown {
  const isNullable = choices.some(({ type }) => type === 'null');
  const chosen = choices.find(({ type }) => type !== 'null') ?? {};
  const known = knownValue(place);
  if (isNullable && (known === null || (known === undefined && isUsuallyNull(place.name)))) return null;
  return make(chosen, place, components);
}

const isUsuallyNull = (name: string) => /^(disabled|failing|previous|revoked|grace|completed|lastError)/.test(name);

function makeOfType(schema: JsonSchema, place: Place, components: Record<string, JsonSchema>): unknown {
  if (Array.isArray(schema.type)) {
    return makeChoice(
      schema.type.map((type: string) => ({ ...schema, type })),
      place,
      components,
    );
  }
  switch (schema.type) {
    case 'object':
      return makeObject(schema, place, components);
    case 'array':
      return makeArray(schema, place, components);
    case 'string':
      return makeString(schema, place);
    case 'integer':
    case 'number':
      return makeNumber(schema, place);
    case 'boolean':
      return makeBoolean(schema, place);
    case 'null':
      return null;
    default:
      return knownValue(place) ?? {};
  }
}

function makeObject(schema: JsonSchema, place: Place, components: Record<string, JsonSchema>): unknown {
  const properties = schema.properties as Record<string, JsonSchema> | undefined;
  if (properties === undefined) return knownValue(place) ?? {};
  return Object.fromEntries(
    Object.entries(properties).map(([key, each]) => [
      key,
      make(each, { name: key, owner: place.within, within: `${place.within}.${key}` }, components),
    ]),
  );
}

function makeArray(schema: JsonSchema, place: Place, components: Record<string, JsonSchema>): unknown[] {
  const known = knownValue(place);
  if (Array.isArray(known)) return known;
  if (schema.default !== undefined) return schema.default as unknown[];
  const prefix = schema.prefixItems as JsonSchema[] | undefined;
  if (prefix !== undefined)
    return prefix.map((each, index) =>
      make(each, { ...place, name: ['headerName', 'headerValue'][index] ?? '' }, components),
    );
  return [make((schema.items ?? {}) as JsonSchema, { ...place, name: place.name.replace(/s$/, '') }, components)];
}

function makeString(schema: JsonSchema, place: Place): unknown {
  if (schema.format === 'uuid') return idOf(place.name);
  // A list in a query: ids separated by commas.
  if (place.name.endsWith('Ids')) return idOf(place.name.slice(0, -1));
  if (schema.format === 'date') return TIME.slice(0, 10);
  const known = knownValue(place);
  if (typeof known === 'string') return known;
  if (schema.format === 'date-time' || /(?:At|Since|Until)$/.test(place.name) || place.name === 'from') return TIME;
  return (schema.default as string | undefined) ?? place.name;
}

/** Another id for each field: one and the same would suggest that they name the same thing. */
function idOf(name: string): string {
  if (name === 'id') return ID;
  const sum = [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0, 2166136261);
  return ID.slice(0, -8) + sum.toString(16).padStart(8, '0');
}

function makeBoolean(schema: JsonSchema, place: Place): boolean {
  const known = knownValue(place);
  return typeof known === 'boolean' ? known : ((schema.default as boolean | undefined) ?? true);
}

function makeNumber(schema: JsonSchema, place: Place): number {
  const known = knownValue(place);
  if (typeof known === 'number') return known;
  const { default: preset, minimum = 1, exclusiveMinimum } = schema as Record<string, number | undefined>;
  if (preset !== undefined) return preset;
  const lowest = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1;
  return lowest < 0 ? 1 : Math.max(lowest, 1);
}
