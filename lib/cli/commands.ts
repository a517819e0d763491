import { admin } from './commands/admin';
import { audit } from './commands/audit';
import { completion } from './commands/completion/completion';
import { config } from './commands/config';
import { deliveries } from './commands/deliveries/deliveries';
import { destinations } from './commands/destinations';
import { endpoints } from './commands/endpoints';
import { events } from './commands/events/events';
import { send } from './commands/events/send-event';
import { exportOrganization } from './commands/export/export';
import { incoming } from './commands/incoming';
import { keys } from './commands/keys';
import { listen } from './commands/listen/listen';
import { login, logout } from './commands/login';
import { open } from './commands/open';
import { orgs } from './commands/orgs';
import { projects } from './commands/projects';
import { sessions } from './commands/sessions';
import { sources } from './commands/sources';
import { subscriptions } from './commands/subscriptions';
import { tunnels } from './commands/tunnels';
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
