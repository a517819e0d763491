import type { RouteDefinition } from '@/lib/http/route';
import type { Verb } from '@/lib/http/table';
import type { ErrorCode } from '@/lib/platform/errors';

const ANY: readonly ErrorCode[] = [
  'invalid_request',
  'validation_failed',
  'rate_limited',
  'internal_error',
  'overloaded',
  'unavailable',
];
const OF_PEOPLE: readonly ErrorCode[] = ['unauthenticated', 'token_expired'];
const OF_KEYS: readonly ErrorCode[] = ['invalid_api_key', 'api_key_expired', 'api_key_revoked'];
const OF_KEYS_ALONE: readonly ErrorCode[] = ['unauthenticated', 'token_expired', 'key_required'];

const OF_BODIES: readonly ErrorCode[] = ['invalid_json', 'unsupported_media_type', 'payload_too_large'];

/** The codes of a kind of caller (docs/specification.md#order-of-checks). */
const OF_CALLER: Record<RouteDefinition['caller']['kind'], readonly ErrorCode[]> = {
  person: [...OF_PEOPLE, ...OF_KEYS, 'ambiguous_credentials', 'person_required'],
  key: [...OF_KEYS, ...OF_KEYS_ALONE, 'ambiguous_credentials'],
  'person-or-key': [...OF_PEOPLE, ...OF_KEYS, 'ambiguous_credentials'],
  operator: ['invalid_admin_token', 'not_found'],
  anyone: [],
};

/** Lists the problem codes that a route may respond with: those that its declaration implies, and those in `errors`. */
export function problemCodesOf(verb: Verb, definition: RouteDefinition): ErrorCode[] {
  const { caller, lane, params, rawBodyBytes, errors = [] } = definition;
  const codes = new Set<ErrorCode>([...ANY, ...OF_CALLER[caller.kind], ...errors]);
  if (caller.action !== undefined) codes.add('forbidden');
  if (caller.access === 'write') codes.add('read_only_key');
  // A delivery of this service may not call its API.
  if (verb !== 'GET') codes.add('conflict');
  if (params.length > 0) codes.add('not_found');
  // Tenants and strangers share what Next serves (lib/http/turns.ts, lib/http/stranger-budget.ts).
  if (lane === 'next') codes.add('rate_limited');
  if (rawBodyBytes !== undefined) codes.add('payload_too_large');
  // A route without a body refuses one that is not empty.
  else if (verb !== 'GET') for (const code of OF_BODIES) codes.add(code);
  return [...codes];
}
