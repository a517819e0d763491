import * as z from 'zod';
import { api } from '@/lib/api/table';
import type { RouteDefinition } from '@/lib/http/route';
import type { RouteTable, Verb } from '@/lib/http/table';
import { type Action, leastRole, may } from '@/lib/orgs/permissions-policy';
import { freshEmail } from './people';
import type { Who } from './tenancy';

/** A route of the application with what the walk must know of it. */
export interface WalkedRoute {
  name: string;
  verb: Verb;
  path: string;
  definition: RouteDefinition;
  /** What a person's role must allow. */
  action?: Action;
}

interface Sent {
  body?: (ids: Record<string, string>) => object;
  /** Where the use case asks for more than the route does. */
  action?: Action;
}

/** A valid body for each route that takes one below an organization or a project. */
const SENT: Record<string, Sent> = {
  'PATCH /api/v1/orgs/{orgId}': { body: () => ({ name: 'Renamed' }) },
  'POST /api/v1/orgs/{orgId}/invitations': { body: () => ({ email: freshEmail(), role: 'VIEWER' }) },
  'POST /api/v1/orgs/{orgId}/projects': { body: () => ({ name: 'Another' }) },
  'PATCH /api/v1/orgs/{orgId}/members/{userId}': { body: () => ({ role: 'DEVELOPER' }) },
  'DELETE /api/v1/orgs/{orgId}/members/{userId}': { action: 'member.manage' },
  'PATCH /api/v1/projects/{projectId}': { body: () => ({ name: 'Renamed' }) },
  'POST /api/v1/projects/{projectId}/api-keys': { body: () => ({ name: 'another' }) },
  'POST /api/v1/projects/{projectId}/api-keys/{apiKeyId}/rotate': { body: () => ({ gracePeriodHours: 1 }) },
  'POST /api/v1/events': { body: () => ({ type: 'order.created', data: {} }) },
  'POST /api/v1/projects/{projectId}/events': { body: () => ({ type: 'order.created', data: {} }) },
  'POST /api/v1/projects/{projectId}/endpoints': { body: () => ({ url: 'https://receiver.example/other' }) },
  'PATCH /api/v1/projects/{projectId}/endpoints/{endpointId}': { body: () => ({ enabled: false }) },
  'POST /api/v1/projects/{projectId}/subscriptions': {
    body: ({ endpointId }) => ({ endpointId, eventType: 'another.type' }),
  },
  'PATCH /api/v1/projects/{projectId}/subscriptions/{subscriptionId}': { body: () => ({ enabled: false }) },
};

/** Every route there is, from the definitions themselves. */
export const EVERY_ROUTE: WalkedRoute[] = Object.entries<RouteTable[string]>(api).flatMap(([path, entry]) =>
  Object.entries(entry).map(([verb, definition]) => {
    const name = `${verb} ${path}`;
    const action = SENT[name]?.action ?? (definition.caller.action as Action | undefined);
    return { name, verb: verb as Verb, path, definition, ...(action === undefined ? {} : { action }) };
  }),
);

/** For `each('%s')`, which writes names out in full. */
export function byName(routes: WalkedRoute[]): [name: string, route: WalkedRoute][] {
  return routes.map((route) => [route.name, route]);
}

/** Those below an organization or a project. */
export const TENANT_ROUTES = EVERY_ROUTE.filter(
  ({ definition: { params, caller } }) =>
    caller.kind !== 'operator' && (params.includes('orgId') || params.includes('projectId')),
);

/** Bodies of the map above that no route takes any more. */
export const STALE_BODIES = Object.keys(SENT).filter((name) => !EVERY_ROUTE.some((route) => route.name === name));

/** A valid body of a route about a tenant's own things. @throws Error when the map has none where one is needed */
export function bodyFor({ name, definition }: WalkedRoute, ids: Record<string, string>): object | undefined {
  const made = SENT[name]?.body?.(ids);
  if (definition.body !== undefined && made === undefined) throw new Error(`${name} needs a body in SENT`);
  return made;
}

/** The ids that a query or a body can name. */
export function idsNamedBy(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape).filter((key) => key.endsWith('Id')) : [];
}

/** Parameters of a path below the tenant that it begins with. */
export function nestedParams({ definition }: WalkedRoute): string[] {
  return definition.params.filter((name) => name !== 'orgId' && name !== 'projectId');
}

/** What a caller must be answered: 'served', or status and code of the refusal (CONTRACT 1, 4, 10). */
export function verdict(who: Who, { definition: { caller }, action }: WalkedRoute): string {
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

/** The callers whose service shows that the others' refusal is not everybody's: for a read all, else the least. */
export function whoIsServed(route: WalkedRoute, all: readonly Who[]): Who[] {
  const served = all.filter((who) => verdict(who, route) === 'served');
  if (route.verb === 'GET') return served;
  const least = route.action === undefined ? null : leastRole(route.action);
  return served.filter((who) => who === least || who === 'READ_WRITE');
}
