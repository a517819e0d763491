import { admin } from './commands/admin';
import { audit } from './commands/audit';
import { completion } from './commands/completion';
import { config } from './commands/config';
import { deliveries } from './commands/deliveries/deliveries';
import { destinations } from './commands/destinations';
import { endpoints } from './commands/endpoints';
import { events } from './commands/events/events';
import { sendCommand } from './commands/events/send-event';
import { exportOrganization } from './commands/export';
import { incoming } from './commands/incoming';
import { keys } from './commands/keys';
import { listen } from './commands/listen/listen';
import { login, logout, whoami } from './commands/login';
import { open, version } from './commands/open';
import { orgs, projects } from './commands/orgs';
import { sessions } from './commands/sessions';
import { sources } from './commands/sources';
import { subscriptions } from './commands/subscriptions';
import { tunnels } from './commands/tunnels';
import type { Commands } from './spec';

/** Every command, in the order of the help. */
export const COMMANDS: Commands = {
  login,
  logout,
  whoami,
  sessions,
  orgs,
  projects,
  keys,
  send: sendCommand('send'),
  events,
  endpoints,
  subscriptions,
  deliveries,
  sources,
  destinations,
  incoming,
  tunnels,
  listen,
  export: exportOrganization,
  audit,
  open,
  config,
  completion,
  version,
  admin,
};
