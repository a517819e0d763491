import type { Api } from '@/lib/client/api';
import { account } from './account';
import { admin } from './admin';
import { apiKeys } from './api-keys';
import { auditLog } from './audit-log';
import { auth } from './auth';
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
import { sessions } from './sessions';
import { sources } from './sources';
import { subscriptions } from './subscriptions';
import { tunnels } from './tunnels';

/** Every resource of the API, by the name that it has on the client. */
export type Resources = ReturnType<typeof createResources>;

/** Returns the methods of every resource. */
export function createResources(api: Api) {
  return {
    account: account(api),
    admin: admin(api),
    apiKeys: apiKeys(api),
    auditLog: auditLog(api),
    auth: auth(api),
    deliveries: deliveries(api),
    destinations: destinations(api),
    device: device(api),
    endpoints: endpoints(api),
    events: events(api),
    incomingEvents: incomingEvents(api),
    invitations: invitations(api),
    members: members(api),
    operations: operations(api),
    organizationExport: organizationExport(api),
    organizations: organizations(api),
    projects: projects(api),
    replays: replays(api),
    retention: retention(api),
    sessions: sessions(api),
    sources: sources(api),
    subscriptions: subscriptions(api),
    tunnels: tunnels(api),
  };
}
