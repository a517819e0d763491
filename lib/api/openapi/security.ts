import type { RouteDefinition } from '@/lib/http/route';
import type { JsonSchema } from './schemas';

/** The credentials of the API. */
export const SECURITY_SCHEMES: Record<string, JsonSchema> = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The access token of a signed-in person. It lasts 15 minutes by default; refresh it with the refresh token.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'A key of one project, for servers. READ_ONLY keys can only read.',
  },
  operatorToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Platform-Admin-Token',
    description: 'The token of the operator, PLATFORM_ADMIN_TOKEN.',
  },
};

/** The credentials of each kind of caller, of which one is presented. */
export const SECURITY: Record<RouteDefinition['caller']['kind'], JsonSchema[]> = {
  person: [{ accessToken: [] }],
  key: [{ apiKey: [] }],
  'person-or-key': [{ accessToken: [] }, { apiKey: [] }],
  operator: [{ operatorToken: [] }],
  anyone: [],
};
