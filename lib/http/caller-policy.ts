import type { AppError } from '@/lib/platform/errors';
import type { OpenAccess } from '@/lib/platform/open-connections';
import type { ApiRequest } from './request';

/** Who may call a route. Policies are made in lib/api/callers.ts, which may import the domains of people and keys. */
export interface CallerPolicy<C> {
  /** For OpenAPI and for the tests that iterate over all routes. */
  readonly kind: 'person' | 'key' | 'person-or-key' | 'portal' | 'operator' | 'anyone';
  /** The action that a person's role in the organization must allow (lib/orgs/permissions-policy.ts). */
  readonly action?: string;
  /** The access that a key must have. */
  readonly access?: 'read' | 'write';
  /** What the session of a portal must permit. */
  readonly permissions?: 'READ' | 'MANAGE';
  /** Checks the credential before 404 and 405: without it, a caller learns neither paths nor verbs. */
  readonly guardsPath?: true;
  /** @throws AppError in the order of docs/specification.md#order-of-checks: 400 ambiguous, 401, 403 kind, 404, 403 role or scope */
  authenticate(request: ApiRequest): Promise<C>;
  /** Makes early the database check that belongs to the handler's statement: for a bad body, and before parsing a large one. */
  confirm?(caller: C, request: ApiRequest): Promise<void>;
  /** Calls `end` when an admitted caller loses what this policy requires; for callers whose access can end. */
  watch?(caller: C, request: ApiRequest, end: (reason: AppError) => void): OpenAccess;
}
