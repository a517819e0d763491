import type { RouteDefinition } from '@/lib/http/route';
import { type Action, lowestRole } from '@/lib/orgs/permissions-policy';
import type { JsonSchema } from './json-schema';

/** The credentials of the API. */
export const SECURITY_SCHEMES: Record<string, JsonSchema> = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The access token of a signed-in person. It expires after 15 minutes by default; get a new one with the refresh token.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key of a project, for servers. READ_ONLY keys can only read.',
  },
  portalToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The token of a portal session, for the pages that customers see. A link of the portal opens one; it ends after an hour by default.',
  },
  operatorToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Platform-Admin-Token',
    description: 'The operator token, PLATFORM_ADMIN_TOKEN.',
  },
};

/**
 * Returns the credentials of which a caller presents one. Each lists what it must be allowed: the lowest role of the person
 * in the organization, the scope of the key, or the permissions of the portal session (OpenAPI 3.1, Security Requirement Object).
 */
export function securityOf({ kind, action, access, permissions }: RouteDefinition['caller']): JsonSchema[] {
  const accessToken = action === undefined ? [] : [lowestRole(action as Action)];
  const apiKey = access === 'write' ? ['READ_WRITE'] : [];
  switch (kind) {
    case 'person':
      return [{ accessToken }];
    case 'key':
      return [{ apiKey }];
    case 'person-or-key':
      return [{ accessToken }, { apiKey }];
    case 'portal':
      return [{ portalToken: permissions === 'MANAGE' ? ['MANAGE'] : [] }];
    case 'operator':
      return [{ operatorToken: [] }];
    case 'anyone':
      return [];
  }
}
