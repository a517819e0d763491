import { api } from '@/lib/api/table';
import { Problem } from '@/lib/http/problem-schema';
import { type RouteTable, VERBS } from '@/lib/http/table';
import manifest from '@/package.json' with { type: 'json' };
import { RESPONSE_HEADERS } from './headers';
import type { JsonSchema } from './json-schema';
import { describeOperation } from './operation';
import { SchemaCollection } from './schemas';
import { SECURITY_SCHEMES } from './security';
import { TAG_GROUPS, TAGS } from './tags';

const DESCRIPTION = `Send events to your customers, receive events from your providers, and see what happened to each.

Every error is a problem document (RFC 9457) with a \`code\` to branch on and a \`requestId\` to report. Lists are newest first; pass
\`nextCursor\` as \`cursor\` to get the next page until it is null. A page may have fewer rows than \`limit\`, or none. Times are RFC 3339 in UTC. Every response has a request id in \`X-Request-Id\` and the version
of the service in \`X-EDS-Version\`.`;

/**
 * Builds the OpenAPI 3.1 document of the route table.
 * @throws Error when a route is in no module of the table, or two schemas share a name
 */
export function openApiDocument(): JsonSchema {
  const schemas = new SchemaCollection();
  schemas.describe(Problem, 'output');
  const paths = Object.entries<RouteTable[string]>(api).map(([path, entry]) => {
    const operations = VERBS.flatMap((verb) => {
      const definition = entry[verb];
      return definition === undefined ? [] : [[verb.toLowerCase(), describeOperation(verb, definition, schemas)]];
    });
    return [path, Object.fromEntries(operations)];
  });
  return {
    openapi: '3.1.1',
    info: {
      title: 'Event Delivery Service',
      version: manifest.version,
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The instance that serves this document' }],
    tags: TAGS,
    'x-tagGroups': TAG_GROUPS,
    paths: Object.fromEntries(paths),
    components: { securitySchemes: SECURITY_SCHEMES, headers: RESPONSE_HEADERS, schemas: schemas.components },
  };
}
