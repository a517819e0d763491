import { admin } from './commands/admin/admin';
import { audit } from './commands/audit/audit';
import { completion } from './commands/completion/completion';
import { config } from './commands/config/config';
import { deliveries } from './commands/deliveries/deliveries';
import { destinations } from './commands/destinations/destinations';
import { endpoints } from './commands/endpoints/endpoints';
import { events } from './commands/events/events';
import { send } from './commands/events/send-event';
import { exportOrganization } from './commands/export/export';
import { incoming } from './commands/incoming/incoming';
import { keys } from './commands/keys/keys';
import { listen } from './commands/listen/listen';
import { login } from './commands/login';
import { logout } from './commands/logout';
import { open } from './commands/open';
import { orgs } from './commands/orgs/orgs';
import { projects } from './commands/projects/projects';
import { sessions } from './commands/sessions/sessions';
import { sources } from './commands/sources/sources';
import { subscriptions } from './commands/subscriptions/subscriptions';
import { tunnels } from './commands/tunnels/tunnels';
import { version } from './commands/version';
import { whoami } from './commands/whoami';
import type { CommandSpec, GroupSpec } from './spec';

/** Every command, in the order of the help. */
export const COMMANDS: readonly (CommandSpec | GroupSpec)[] = [
  ...[login, logout, whoami, sessions, orgs, projects, keys],
  ...[send, events, endpoints, subscriptions, deliveries],
  ...[sources, destinations, incoming, tunnels, listen],
  ...[exportOrganization, audit, open, config, completion, version, admin],
];
