import type { ApiRequest } from './request';

/** Who may call a route. Made in lib/api/callers.ts, where the domains that know people and keys are in reach. */
export interface CallerPolicy<C> {
  /** For OpenAPI and for the tests that walk every route. */
  readonly kind: 'person' | 'key' | 'person-or-key' | 'operator' | 'anyone';
  /** What a person's role in the organization of the path must allow (lib/orgs/permissions-policy.ts). */
  readonly action?: string;
  /** What a key must be allowed to. */
  readonly access?: 'read' | 'write';
  /** Lets the caller in before the path is told of at all: without the credential its verbs are not named either. */
  readonly guardsPath?: true;
  /** @throws AppError in the order of CONTRACT 10: ambiguous 400, 401, 403 kind, 404 tenancy, 403 role or scope */
  authenticate(request: ApiRequest): Promise<C>;
  /** Makes up for a database check that was left to the handler's own statement, when the body is at fault. */
  confirm?(caller: C, request: ApiRequest): Promise<void>;
}
