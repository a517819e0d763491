import type { JsonSchema } from './json-schema';

const ID = '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84';
const TIME = '2026-01-31T09:30:00.000Z';

/** The keywords that an example is made from. */
interface Described {
  $ref?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  type?: string | string[];
  format?: string;
  default?: unknown;
  minimum?: number;
  minItems?: number;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}

/**
 * Builds an example of a schema: the one that the schema declares, or one by type.
 * @param components the named schemas that it refers to
 * @param name the field that has the schema; empty for a body
 */
export function exampleOf(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>, name = ''): unknown {
  const { $ref, anyOf, oneOf, allOf, examples, ...rest } = schema as Described;
  if (examples !== undefined) return examples[0];
  if (rest.const !== undefined) return rest.const;
  if (rest.enum !== undefined) return rest.default ?? rest.enum[0];
  if ($ref !== undefined) return exampleOf(components[$ref.split('/').at(-1) ?? ''] ?? {}, components, name);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return exampleOf(choices.find(({ type }) => type !== 'null') ?? {}, components, name);
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((each) => exampleOf(each, components, name)));
  if (rest.default !== undefined) return rest.default;
  if (Array.isArray(rest.type) && rest.type.includes('null') && rest.format === undefined && !rest.properties)
    return null;
  switch (Array.isArray(rest.type) ? rest.type[0] : rest.type) {
    case 'array':
      return Array(rest.minItems ?? 1).fill(exampleOf(rest.items ?? {}, components, name.replace(/s$/, '')));
    case 'string':
      return textOf(rest, name);
    case 'integer':
    case 'number':
      return Math.max(rest.minimum ?? 1, 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return Object.fromEntries(
        Object.entries(rest.properties ?? {}).map(([key, field]) => [key, exampleOf(field, components, key)]),
      );
  }
}

function textOf({ format }: Described, name: string): string {
  if (format === 'uuid') return idOf(name);
  // A list in a query: ids separated by commas.
  if (name.endsWith('Ids')) return idOf(name.slice(0, -1));
  if (format === 'date') return TIME.slice(0, 10);
  return format === 'date-time' ? TIME : name;
}

/** Another id for each field: one and the same would suggest that they name the same thing. */
function idOf(name: string): string {
  if (name === 'id') return ID;
  const sum = [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0, 2166136261);
  return ID.slice(0, -8) + sum.toString(16).padStart(8, '0');
}
