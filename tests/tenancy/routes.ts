import * as z from 'zod';
import { api } from '@/lib/api/table';
import type { RouteDefinition } from '@/lib/http/route';
import type { RouteTable, Verb } from '@/lib/http/table';
import { type Action, lowestRole, may } from '@/lib/orgs/permissions-policy';
import { freshEmail } from '@/tests/fixtures/people';
import { exampleBody } from '@/tests/http/schema-examples';
import type { CallerName } from './tenants';

/** A route of the API, as the tenancy tests use it. */
export interface TenancyRoute {
  name: string;
  verb: Verb;
  path: string;
  definition: RouteDefinition;
  /** The action that a person's role must allow. */
  action?: Action;
  /** The status for a caller with access. */
  servedStatus: number;
}

interface Sent {
  body?: (ids: Record<string, string>) => object;
  /** For a route that requires a query. */
  query?: (ids: Record<string, string>) => string;
  /** Set when the use case needs more than the route. */
  action?: Action;
  /** Set when the request gets past every check and fails at what the tests do not have. */
  servedStatus?: number;
}

const REQUEST = { headers: 'webhook-id: msg_1', body: '{}' };

/** Routes that get a body and change nothing. */
export const READING_POSTS = [
  'POST /api/v1/projects/{projectId}/endpoints/{endpointId}/verify-signature',
  'POST /api/v1/projects/{projectId}/filter-tests',
  'POST /api/v1/projects/{projectId}/filter-previews',
  'POST /api/v1/projects/{projectId}/event-types/{name}/infer',
];

/** What is sent to the routes below an organization or a project for which the examples of their schemas do not do. */
const SENT: Record<string, Sent> = {
  'POST /api/v1/orgs/{orgId}/invitations': { body: () => ({ email: freshEmail(), role: 'VIEWER' }) },
  'GET /api/v1/orgs/{orgId}/search': { query: () => '?q=words' },
  'PATCH /api/v1/orgs/{orgId}/members/{userId}': { body: () => ({ role: 'DEVELOPER' }) },
  'DELETE /api/v1/orgs/{orgId}/members/{userId}': { action: 'member.manage' },
  'GET /api/v1/projects/{projectId}/changes': { query: () => '?seconds=1' },
  'GET /api/v1/projects/{projectId}/endpoint-health': { query: ({ endpointId }) => `?endpointIds=${endpointId}` },
  'POST /api/v1/projects/{projectId}/endpoints/{endpointId}/verify-signature': { body: () => REQUEST },
  'POST /api/v1/projects/{projectId}/sources/{sourceId}/verify-signature': { body: () => REQUEST },
  'PATCH /api/v1/projects/{projectId}/endpoints/{endpointId}': { body: () => ({ enabled: false }) },
  'PATCH /api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}': {
    body: () => ({ enabled: false }),
  },
  'POST /api/v1/projects/{projectId}/incoming-events/{incomingEventId}/replay': { body: () => ({}) },
  // The event was sent to this endpoint.
  'POST /api/v1/projects/{projectId}/events/{eventId}/deliveries': {
    body: ({ endpointId }) => ({ endpointId }),
    servedStatus: 409,
  },
  'POST /api/v1/projects/{projectId}/bulk-retries': { body: ({ endpointId }) => ({ endpointId }) },
  'POST /api/v1/projects/{projectId}/alerts': {
    body: () => ({ name: 'On call', kind: 'SLACK', target: 'https://hooks.example/alerts', triggers: ['BACKLOG'] }),
  },
  'POST /api/v1/projects/{projectId}/event-replays': {
    body: ({ endpointId }) => ({ endpointId, from: new Date().toISOString() }),
  },
  'POST /api/v1/portal/endpoints/{endpointId}/replays': { body: () => ({ from: new Date().toISOString() }) },
  'POST /api/v1/projects/{projectId}/incoming-event-replays': { body: ({ sourceId }) => ({ sourceId }) },
  // The client of the tunnel is not there.
  'POST /api/v1/projects/{projectId}/tunnels/{tunnelId}/requests/{requestId}/replay': { servedStatus: 502 },
  'PATCH /api/v1/portal/endpoints/{endpointId}': { body: () => ({ enabled: false }) },
  'POST /api/v1/portal/endpoints/{endpointId}/subscriptions': { body: () => ({ eventType: 'another.type' }) },
  'POST /api/v1/projects/{projectId}/subscriptions': {
    body: ({ endpointId }) => ({ endpointId, eventType: 'another.type' }),
  },
};

/** All routes, from the route table. */
export const ALL_ROUTES: TenancyRoute[] = Object.entries<RouteTable[string]>(api).flatMap(([path, entry]) =>
  Object.entries(entry).map(([verb, definition]) => {
    const name = `${verb} ${path}`;
    const action = SENT[name]?.action ?? (definition.caller.action as Action | undefined);
    const servedStatus = SENT[name]?.servedStatus ?? definition.response.status;
    return { name, verb: verb as Verb, path, definition, servedStatus, ...(action === undefined ? {} : { action }) };
  }),
);

/** Pairs routes with their names, for `each('%s')`. */
export function byName(routes: TenancyRoute[]): [name: string, route: TenancyRoute][] {
  return routes.map((route) => [route.name, route]);
}

/** The routes below an organization or a project. */
export const TENANT_ROUTES = ALL_ROUTES.filter(
  ({ definition: { params, caller } }) =>
    caller.kind !== 'operator' && (params.includes('orgId') || params.includes('projectId')),
);

/** Bodies of the map above without a route. */
export const STALE_BODIES = Object.keys(SENT).filter((name) => !ALL_ROUTES.some((route) => route.name === name));

/** Returns a valid body for a tenant route; undefined for one without. */
export function bodyFor({ name, definition: { body } }: TenancyRoute, ids: Record<string, string>): object | undefined {
  return SENT[name]?.body?.(ids) ?? (body === undefined ? undefined : exampleBody(body));
}

/** Returns the query that a route requires, with its question mark. */
export function queryFor({ name }: TenancyRoute, ids: Record<string, string>): string {
  return SENT[name]?.query?.(ids) ?? '';
}

/** Lists the ids that a query or a body can contain. */
export function listIdNames(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape).filter((key) => key.endsWith('Id')) : [];
}

/** Lists the path parameters after that of the tenant. */
export function nestedParams({ definition }: TenancyRoute): string[] {
  return definition.params.filter((name) => name !== 'orgId' && name !== 'projectId');
}

/** Returns the expected result for a caller: 'served', or the status and code of the problem (docs/specification.md#order-of-checks). */
export function expectedResult(who: CallerName, { definition: { caller }, action }: TenancyRoute): string {
  if (who === 'nobody') return '401 unauthenticated';
  const isForeign = who.startsWith('stranger');
  if (who.endsWith('key') || who === 'READ_ONLY' || who === 'READ_WRITE') {
    if (caller.kind === 'person') return '403 person_required';
    if (isForeign) return '404 not_found';
    return who === 'READ_ONLY' && caller.access !== 'read' ? '403 read_only_key' : 'served';
  }
  if (caller.kind === 'key') return '403 key_required';
  if (isForeign) return '404 not_found';
  return action !== undefined && may(who as 'OWNER', action) ? 'served' : '403 forbidden';
}

/** Returns the callers to check for success: for a read, all that are served; else those with the least access. */
export function permittedCallers(route: TenancyRoute, all: readonly CallerName[]): CallerName[] {
  const served = all.filter((who) => expectedResult(who, route) === 'served');
  if (route.verb === 'GET') return served;
  const least = route.action === undefined ? null : lowestRole(route.action);
  return served.filter((who) => who === least || who === 'READ_WRITE');
}
