import type { JsonSchema } from './schemas';

const ID = '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84';
const TIME = '2026-01-31T09:30:00.000Z';

/** Examples by field name, for fields whose type does not say enough. */
const BY_NAME: Record<string, unknown> = {
  allowedCidr: '203.0.113.0/24',
  accessToken: 'eyJhbGciOiJFZERTQSJ9.payload.signature',
  action: 'api_key.created',
  body: '{"order":"ord_8f2c1"}',
  clientName: 'build-box',
  data: { orderId: 'ord_8f2c1', amount: 4200, currency: 'EUR' },
  description: 'Billing',
  detail: 'url: must be an absolute URL',
  device: 'Chrome on macOS',
  deviceCode: 'dGhlIGNsaWVudCBrZWVwcyB0aGlz',
  email: 'grace@example.com',
  error: null,
  eventType: 'order.paid',
  hint: 'eds_...Xq3k',
  ipAddress: '203.0.113.7',
  key: 'eds_4hZkXq3kV2m9',
  name: 'Web shop',
  nextCursor: null,
  password: 'seven tall ships',
  refreshToken: 'rt_9sKd2',
  requestId: ID,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  signatureHeader: 'X-Signature',
  signaturePrefix: 'sha256=',
  token: 'sSqL0mJ1',
  type: 'order.paid',
  url: 'https://example.com/webhooks',
  userAgent: 'curl/8.5.0',
  userCode: 'WDJB-MJHT',
  username: 'shop',
};

/**
 * Builds an example of a schema: the one that the schema declares, or one by field name, or one by type.
 * @param place the schema, with the name of its field if it has one
 * @param components the named schemas that it refers to
 */
export function exampleOf(
  place: { schema: JsonSchema; name?: string },
  components: Record<string, JsonSchema>,
): unknown {
  return make(place.schema, place.name ?? '', components);
}

function make(schema: JsonSchema, name: string, components: Record<string, JsonSchema>): unknown {
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
  if (values !== undefined) return values[0];
  if ($ref !== undefined) return make(components[$ref.split('/').at(-1) ?? ''] ?? {}, name, components);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return makeChoice(choices, name, components);
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((each) => make(each, name, components)));
  return makeOfType(schema, name, components);
}

/** The first choice that is not null, unless null is what the field usually has. */
function makeChoice(choices: JsonSchema[], name: string, components: Record<string, JsonSchema>): unknown {
  const isNullable = choices.some(({ type }) => type === 'null');
  const chosen = choices.find(({ type }) => type !== 'null') ?? {};
  if (isNullable && (BY_NAME[name] === null || isUsuallyNull(name))) return null;
  return make(chosen, name, components);
}

const isUsuallyNull = (name: string) => /^(disabled|failing|previous|revoked|grace|completed|lastError)/.test(name);

function makeOfType(schema: JsonSchema, name: string, components: Record<string, JsonSchema>): unknown {
  if (Array.isArray(schema.type)) {
    return makeChoice(
      schema.type.map((type: string) => ({ ...schema, type })),
      name,
      components,
    );
  }
  switch (schema.type) {
    case 'object':
      return makeObject(schema, name, components);
    case 'array':
      return makeArray(schema, name, components);
    case 'string':
      return makeString(schema, name);
    case 'integer':
    case 'number':
      return makeNumber(schema);
    case 'boolean':
      return (schema.default as boolean | undefined) ?? true;
    case 'null':
      return null;
    default:
      return BY_NAME[name] ?? {};
  }
}

function makeObject(schema: JsonSchema, name: string, components: Record<string, JsonSchema>): unknown {
  const properties = schema.properties as Record<string, JsonSchema> | undefined;
  if (properties === undefined) return BY_NAME[name] ?? {};
  return Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, make(each, key, components)]));
}

function makeArray(schema: JsonSchema, name: string, components: Record<string, JsonSchema>): unknown[] {
  if (schema.default !== undefined) return schema.default as unknown[];
  const prefix = schema.prefixItems as JsonSchema[] | undefined;
  if (prefix !== undefined)
    return prefix.map((each, index) => make(each, ['name', 'value'][index] ?? name, components));
  return [make((schema.items ?? {}) as JsonSchema, name.replace(/s$/, ''), components)];
}

function makeString(schema: JsonSchema, name: string): unknown {
  if (schema.format === 'uuid') return ID;
  if (schema.format === 'date') return TIME.slice(0, 10);
  if (schema.format === 'date-time' || /(?:At|Since|Until)$/.test(name) || name === 'from' || name === 'to')
    return TIME;
  const byName = BY_NAME[name];
  return typeof byName === 'string' ? byName : ((schema.default as string | undefined) ?? name);
}

function makeNumber(schema: JsonSchema): number {
  const { default: preset, minimum = 1, exclusiveMinimum } = schema as Record<string, number | undefined>;
  if (preset !== undefined) return preset;
  const lowest = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1;
  return lowest < 0 ? 1 : Math.max(lowest, 1);
}
