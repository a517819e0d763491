import type { Api } from '@/lib/client/api';
import { account } from './account';
import { admin } from './admin';
import { apiKeys } from './api-keys';
import { auditLog } from './audit-log';
import { auth } from './auth';
import { bulkRetries } from './bulk-retries';
import { deliveries } from './deliveries';
import { destinations } from './destinations';
import { device } from './device';
import { endpoints } from './endpoints';
import { events } from './events';
import { incomingEvents } from './incoming-events';
import { invitations } from './invitations';
import { members } from './members';
import { operations } from './operations';
import { organizationExport } from './organization-export';
import { organizations } from './organizations';
import { projects } from './projects';
import { replays } from './replays';
import { retention } from './retention';
import { search } from './search';
import { sessions } from './sessions';
import { sources } from './sources';
import { stats } from './stats';
import { subscriptions } from './subscriptions';
import { tunnels } from './tunnels';

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
