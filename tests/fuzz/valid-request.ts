import fc from 'fast-check';
import * as z from 'zod';
import { examplesOf } from '@/tests/http/schema-examples';
import type { TenancyRoute } from '@/tests/tenancy/routes';
import type { Plan } from './plan';

/** Valid JSON values by the name of the field, or by route and field where the example of the schema does not do. */
const BODY: Record<string, readonly string[]> = {
  email: ['"fuzz-{fresh}@example.com"'],
  'POST /api/v1/auth/login email': ['"{email}"'],
  'POST /api/v1/auth/login password': ['"{password}"'],
  'POST /api/v1/auth/forgot-password email': ['"{email}"'],
  'PATCH /api/v1/auth/me name': ['"Ada"', 'null'],
  password: ['"{newPassword}"'],
  currentPassword: ['"{password}"'],
  newPassword: ['"{newPassword}"'],
  name: ['"Ada"', '"例え 😀"'],
  refreshToken: ['"{refresh}"'],
  link: ['"{portalLink}"'],
  permissions: ['"READ"', '"MANAGE"'],
  organizationId: ['"{orgId}"'],
  token: ['"{token}"'],
  userCode: ['"{userCode}"'],
  deviceCode: ['"{deviceCode}"'],
  role: ['"VIEWER"', '"DEVELOPER"'],
  expiresAt: ['null', '"2098-12-31"', '"2098-12-31T23:59:59Z"'],
  gracePeriodHours: ['0', '1', '168'],
  type: ['"order.created"', '"a"'],
  data: ['{}', '{"total":1e400}', '{"a":[1,null,"\\u0000"]}'],
  url: ['"http://127.0.0.1:9/hook"'],
  // Text needs a body that also pauses.
  pauseReason: ['null'],
  retrySeconds: ['[]', '[1,604800]'],
  deliveryIds: ['["{deliveryId}"]', '["{deliveryId}","{eventId}"]'],
  id: ['"{deliveryId}"'],
  eventId: ['"{eventId}"'],
  incomingEventId: ['"{incomingEventId}"'],
  status: ['"FAILED"', '"SUCCEEDED"'],
  responseStatus: ['"503"', '"5xx"', '"none"'],
  endpointId: ['"{endpointId}"'],
  sourceId: ['"{sourceId}"'],
  destinationId: ['"{destinationId}"'],
  from: ['"2026-01-01T00:00:00Z"'],
  to: ['"2098-12-31T23:59:59+14:00"'],
  auth: [
    'null',
    '{"type":"BEARER","token":"a"}',
    '{"type":"BASIC","username":"a","password":"b"}',
    '{"type":"HEADER","name":"X-Key","value":"a"}',
  ],
  eventType: ['"*"', '"order.*"', '"fuzz.{fresh}"'],
  secret: ['"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"'],
  basicAuth: ['null', '{"username":"ada","password":"a long password"}'],
  allowedCidrs: ['[]', '["192.0.2.0/24","2001:db8::1"]'],
};

/** Valid query values, percent-encoded. Cursors are left to the mutations: a short list has none. */
const QUERY: Record<string, readonly string[]> = {
  limit: ['1', '100'],
  from: ['2026-01-01T00:00:00Z'],
  to: ['2098-12-31T23:59:59%2B14:00'],
  id: ['{eventId}'],
  status: ['PENDING', 'FAILED'],
  responseStatus: ['503', '5xx', 'none'],
  'GET /api/v1/projects/{projectId}/tunnels/{tunnelId}/requests status': ['404', '5xx', 'none'],
  method: ['POST', 'get'],
  endpointId: ['{endpointId}'],
  eventId: ['{eventId}'],
  destinationId: ['{destinationId}'],
  incomingEventId: ['{incomingEventId}'],
  sourceId: ['{sourceId}'],
  verified: ['true', 'none'],
  actorId: ['{ownerId}'],
  organizationId: ['{orgId}'],
  endpointIds: ['{endpointId}'],
  returnTo: ['%2Fprojects'],
  state: ['{idpState}'],
  iss: ['http%3A%2F%2F127.0.0.1'],
  userCode: ['{userCode}'],
  q: ['ab', '{endpointId}'],
  seconds: ['1'],
};

type Fields = [name: string, value: string][];

/** Plans valid requests. */
export function validRequest(route: TenancyRoute): fc.Arbitrary<Plan> {
  const { definition, verb, path } = route;
  const body =
    definition.body === undefined ? fc.constant(null) : fieldsOf(route, definition.body, BODY, JSON.stringify);
  const query =
    definition.query === undefined
      ? fc.constant<Fields>([])
      : fieldsOf(route, definition.query, QUERY, (value) => encodeURIComponent(String(value)));
  return fc.tuple(body, query).map(([fields, parameters]) => ({
    method: verb,
    path,
    query: parameters,
    headers: [
      ...credentialsOf(route),
      ...(fields === null ? [] : [['Content-Type', 'application/json'] as [string, string]]),
    ],
    body: fields === null ? { kind: 'none' } : { kind: 'fields', fields },
    framing: 'length',
  }));
}

/** Picks every required field of a schema and some optional ones. */
function fieldsOf(
  route: TenancyRoute,
  schema: z.ZodType,
  samples: typeof BODY,
  write: (value: unknown) => string,
): fc.Arbitrary<Fields> {
  if (!(schema instanceof z.ZodObject)) throw new Error(`${route.name}: not an object`);
  const fields = Object.entries<z.ZodType>(schema.shape).filter(([name]) => name !== 'cursor');
  const drawn = fields.map(([name, field]) => {
    const values = samples[`${route.name} ${name}`] ?? samples[name] ?? examplesOf(field, name).map(write);
    const given = fc.constantFrom(...values).map((value): Fields => [[name, value]]);
    const isOptional = field.safeParse(undefined).success;
    return isOptional ? fc.oneof(given, fc.constant<Fields>([])) : given;
  });
  return fc.tuple(...drawn).map((parts) => parts.flat());
}

function credentialsOf({ name, definition }: TenancyRoute): [string, string][] {
  switch (definition.caller.kind) {
    case 'person':
    case 'person-or-key':
      return [['Authorization', 'Bearer {bearer}']];
    case 'key':
      return [['X-API-Key', '{key}']];
    case 'portal':
      return [['Authorization', 'Bearer {portalToken}']];
    case 'operator':
      return [['X-Platform-Admin-Token', '{operatorToken}']];
    default:
      return name.includes('/oauth/idp/callback') ? [['Cookie', '{idpCookies}']] : [];
  }
}
