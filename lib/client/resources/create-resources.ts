import type { Api } from '@/lib/client/api';
import { admin, operations } from './admin';
import { bulkRetries, deliveries, endpoints, events, stats, subscriptions } from './events';
import { destinations, incomingEvents, replays, sources, tunnels } from './incoming';
import {
  apiKeys,
  auditLog,
  invitations,
  members,
  organizationExport,
  organizations,
  projects,
  retention,
  search,
} from './organizations';
import { account, auth, device, sessions } from './people';

const RESOURCES = {
  account,
  admin,
  apiKeys,
  auditLog,
  auth,
  bulkRetries,
  deliveries,
  destinations,
  device,
  endpoints,
  events,
  incomingEvents,
  invitations,
  members,
  operations,
  organizationExport,
  organizations,
  projects,
  replays,
  retention,
  search,
  sessions,
  sources,
  stats,
  subscriptions,
  tunnels,
};

/** Every resource of the API, by the name that it has on the client. */
export type Resources = { readonly [Name in keyof typeof RESOURCES]: ReturnType<(typeof RESOURCES)[Name]> };

/** Returns the methods of every resource. */
export function createResources(api: Api): Resources {
  return Object.fromEntries(Object.entries(RESOURCES).map(([name, methodsOf]) => [name, methodsOf(api)])) as Resources;
}
