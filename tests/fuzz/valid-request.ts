import fc from 'fast-check';
import * as z from 'zod';
import type { TenancyRoute } from '@/tests/tenancy/routes';
import type { Plan } from './plan';

/** Valid JSON values by the name of the field, or by route and field where a route needs others. */
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
  organizationName: ['"Engines"'],
  refreshToken: ['"{refresh}"'],
  organizationId: ['"{orgId}"'],
  token: ['"{token}"'],
  clientName: ['"cli"'],
  userCode: ['"{userCode}"'],
  deviceCode: ['"{deviceCode}"'],
  role: ['"VIEWER"', '"DEVELOPER"'],
  scope: ['"READ_ONLY"', '"READ_WRITE"'],
  expiresAt: ['null', '"2098-12-31"', '"2098-12-31T23:59:59Z"'],
  gracePeriodHours: ['0', '1', '168'],
  type: ['"order.created"', '"a"'],
  data: ['{}', '{"total":1e400}', '{"a":[1,null,"\\u0000"]}'],
  url: ['"http://127.0.0.1:9/hook"'],
  description: ['null', '"A receiver"'],
  // Text needs a body that also pauses.
  pauseReason: ['null'],
  enabled: ['true', 'false'],
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
  signing: ['true', 'false'],
  eventType: ['"*"', '"order.*"', '"fuzz.{fresh}"'],
  provider: ['"NONE"', '"GENERIC_HMAC"', '"GITHUB"', '"STRIPE"'],
  secret: ['"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"'],
  signatureHeader: ['"X-Signature"'],
  signatureEncoding: ['"hex"', '"base64"'],
  signaturePrefix: ['"sha256="', '""'],
  basicAuth: ['null', '{"username":"ada","password":"a long password"}'],
  allowedCidrs: ['[]', '["192.0.2.0/24","2001:db8::1"]'],
  timeZone: ['"LOCAL"', '"UTC"'],
  testResponse: ['null', '{"status":500,"delaySeconds":0}'],
  invitationToken: ['"unknown"'],
  job: ['"main"', '"cap"', '"burst"', '"metrics"', '"partitions"'],
};

/** Valid query values, percent-encoded. Cursors are left to the mutations: a short list has none. */
const QUERY: Record<string, readonly string[]> = {
  limit: ['1', '100'],
  type: ['order.created'],
  from: ['2026-01-01T00:00:00Z'],
  to: ['2098-12-31T23:59:59%2B14:00'],
  id: ['{eventId}'],
  status: ['PENDING', 'FAILED'],
  responseStatus: ['503', '5xx', 'none'],
  eventType: ['order.*'],
  'GET /api/v1/projects/{projectId}/tunnels/{tunnelId}/requests status': ['404', '5xx', 'none'],
  method: ['POST', 'get'],
  endpointId: ['{endpointId}'],
  eventId: ['{eventId}'],
  destinationId: ['{destinationId}'],
  incomingEventId: ['{incomingEventId}'],
  sourceId: ['{sourceId}'],
  verified: ['true', 'none'],
  action: ['organization.created'],
  actorId: ['{ownerId}'],
  organizationId: ['{orgId}'],
  range: ['1h', '30d'],
  endpointIds: ['{endpointId}'],
  format: ['json', 'csv'],
  name: ['Storm'],
  deleted: ['true', 'false'],
  email: ['a'],
  returnTo: ['%2Fprojects'],
  code: ['a'],
  state: ['{idpState}'],
  iss: ['http%3A%2F%2F127.0.0.1'],
  error: ['access_denied'],
  keepCurrent: ['true', 'false'],
  userCode: ['{userCode}'],
  q: ['ab', '{endpointId}'],
  takeover: ['true', 'false'],
  withoutSignIns: ['true', 'false'],
  seconds: ['1'],
};

type Fields = [name: string, value: string][];

/** Plans valid requests. */
export function validRequest(route: TenancyRoute): fc.Arbitrary<Plan> {
  const { definition, verb, path } = route;
  const body = definition.body === undefined ? fc.constant(null) : fieldsOf(route, definition.body, BODY);
  const query = definition.query === undefined ? fc.constant<Fields>([]) : fieldsOf(route, definition.query, QUERY);
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

/** Picks every required field of a schema and some optional ones. @throws Error for a field without a sample */
function fieldsOf(route: TenancyRoute, schema: z.ZodType, samples: typeof BODY): fc.Arbitrary<Fields> {
  if (!(schema instanceof z.ZodObject)) throw new Error(`${route.name}: not an object`);
  const fields = Object.entries<z.ZodType>(schema.shape).filter(([name]) => name !== 'cursor');
  const drawn = fields.map(([name, field]) => {
    const values = samples[`${route.name} ${name}`] ?? samples[name];
    if (values === undefined) throw new Error(`${route.name}: tests/fuzz/valid-request.ts has no sample for ${name}`);
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
    case 'operator':
      return [['X-Platform-Admin-Token', '{operatorToken}']];
    default:
      return name.includes('/oauth/idp/callback') ? [['Cookie', '{idpCookies}']] : [];
  }
}
