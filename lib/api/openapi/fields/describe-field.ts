import type { JsonSchema } from '@/lib/api/openapi/json-schema';
import { DEPLOYMENT } from './deployment';
import { MESSAGES } from './messages';
import { PEOPLE } from './people';
import { SHARED } from './shared';
import { STATISTICS } from './statistics';
import type { FieldDescriptions } from './types';

const DESCRIPTIONS: FieldDescriptions = { ...SHARED, ...PEOPLE, ...MESSAGES, ...DEPLOYMENT, ...STATISTICS };

/** The keywords below which the fields of the same object or its elements are. */
const WITHIN = ['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'];

/**
 * Returns what a field means; undefined when nothing describes it.
 * @param owners what the field belongs to, the narrowest first
 */
export function describeField(name: string, owners: readonly string[]): string | undefined {
  const keys = [...owners.map((owner) => `${owner}.${name}`), name];
  return keys.map((key) => DESCRIPTIONS[key]).find((description) => description !== undefined);
}

/** Names of times, which are RFC 3339 text everywhere in the API. */
const TIME_NAME = /(?:At|Since)$/;

/**
 * Adds what each field of a schema means, and the format of times, unless its declaration says so. Changes the schema.
 * @param owners as for `describeField`
 */
export function describeFields(schema: unknown, owners: readonly string[]): void {
  if (Array.isArray(schema)) for (const each of schema) describeFields(each, owners);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  const { properties = {}, ...rest } = schema as { properties?: Record<string, JsonSchema> };
  for (const [name, field] of Object.entries(properties)) {
    const description = describeField(name, owners);
    if (field.description === undefined && description !== undefined) field.description = description;
    if (TIME_NAME.test(name) && isText(field)) field.format ??= 'date-time';
    describeFields(
      field,
      owners.map((owner) => `${owner}.${name}`),
    );
  }
  for (const keyword of WITHIN) describeFields((rest as JsonSchema)[keyword], owners);
}

function isText({ type }: JsonSchema): boolean {
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}
