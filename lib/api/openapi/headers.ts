import * as z from 'zod';
import type { RouteDefinition } from '@/lib/http/route';
import type { Verb } from '@/lib/http/table';
import type { JsonSchema } from './json-schema';

const text = (description: string, example: string): JsonSchema => ({
  description,
  schema: { type: 'string' },
  example,
});
const count = (description: string, example: number): JsonSchema => ({
  description,
  schema: { type: 'integer' },
  example,
});

/** The headers of responses that a client may want to read, by name. */
export const RESPONSE_HEADERS = {
  'Content-Disposition': text('The name of the file', 'attachment; filename="events.csv"'),
  ETag: text(
    'Changes with the content. Send it as `If-None-Match` to get 304 if nothing changed.',
    'W/"kz0Xr2bQk1lY0u4q5n3v7A"',
  ),
  'Idempotent-Replayed': text(
    '`true` when the idempotency key was used before: the response is that of the first request.',
    'true',
  ),
  Location: text('The page to which the browser goes next', 'https://events.example.com/'),
  RateLimit: text(
    'The limit with the least quota left: requests left (`r`), and seconds until it resets (`t`).',
    '"login-ip";r=9;t=60',
  ),
  'RateLimit-Policy': text(
    'All limits of this request: quota (`q`) and window in seconds (`w`).',
    '"login-ip";q=10;w=60',
  ),
  'Retry-After': count('Seconds after which to try again', 2),
  'Set-Cookie': text('The cookies of a browser’s session', 'refresh_token=…; HttpOnly; SameSite=Strict'),
  'WWW-Authenticate': text('How to authenticate', 'Bearer'),
  'X-Audit-Log-Truncated': text('`true` when the file lacks older entries', 'false'),
  'X-Download-Max-Rows': count('The most rows of a file', 100_000),
  'X-Download-Truncated': text('`true` when the file lacks older rows', 'false'),
  'X-EDS-Version': text('The version of the service', '1.0.0'),
  'X-Request-Id': text('The id of the request, also in the log', '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84'),
} as const satisfies Record<string, JsonSchema>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Lists the headers that a response of a route with this status may have. */
export function headersOf(verb: Verb, definition: RouteDefinition, status: number): ResponseHeader[] {
  const { caller, errors = [], response, query } = definition;
  const shape = (schema: unknown) => (schema as { shape?: Record<string, unknown> } | undefined)?.shape ?? {};
  const isSuccess = status < 400;
  const names: ResponseHeader[] = ['X-Request-Id', 'X-EDS-Version'];
  if (errors.includes('rate_limited') || ['operator', 'portal'].includes(caller.kind))
    names.push('RateLimit', 'RateLimit-Policy');
  if (response.setsCookies === true) names.push('Set-Cookie');
  if (status === 401) names.push('WWW-Authenticate');
  if ([423, 429, 503].includes(status)) names.push('Retry-After');
  if (status === 302) names.push('Location');
  if (isSuccess) names.push(...(response.headers ?? []));
  if (
    isSuccess &&
    verb === 'GET' &&
    response.schema !== undefined &&
    !(shape(response.schema).data instanceof z.ZodArray)
  )
    names.push('ETag');
  if (isSuccess && 'format' in shape(query)) {
    names.push('Content-Disposition', 'X-Download-Max-Rows', 'X-Download-Truncated');
  }
  return names.sort();
}

/** Refers to the descriptions of headers. */
export function describeHeaders(names: readonly ResponseHeader[]): JsonSchema {
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}
