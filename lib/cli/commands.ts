import { admin } from './commands/admin';
import { alerts } from './commands/alerts';
import { audit } from './commands/audit';
import { completion } from './commands/completion';
import { config } from './commands/config';
import { customers } from './commands/customers';
import { deliveries } from './commands/deliveries/deliveries';
import { destinations } from './commands/destinations';
import { endpoints } from './commands/endpoints';
import { events } from './commands/events/events';
import { sendCommand } from './commands/events/send-event';
import { exportOrganization } from './commands/export';
import { importGroup } from './commands/import/import';
import { incoming } from './commands/incoming';
import { keys } from './commands/keys';
import { listen } from './commands/listen/listen';
import { login, logout, whoami } from './commands/login';
import { open, version } from './commands/open';
import { members, orgs, projects } from './commands/orgs';
import { account, sessions } from './commands/sessions';
import { sources } from './commands/sources';
import { subscriptions } from './commands/subscriptions';
import { tunnels } from './commands/tunnels';
import { types } from './commands/types';
import { verify } from './commands/verify';
import { completeCommands } from './routes/complete-commands';
import type { Commands, GroupSpec } from './spec';

/** A group whose commands are all made from the routes. */
const made = (summary: string): GroupSpec => ({ summary, commands: {} });

/** Every command, in the order of the help. */
export const COMMANDS: Commands = completeCommands({
  login,
  logout,
  whoami,
  sessions,
  account,
  orgs,
  members: {
    summary: 'List, change and remove the members of an organization.',
    commands: { list: members },
  },
  invitations: made('Invite people to an organization.'),
  projects,
  keys,
  send: sendCommand('send'),
  events,
  types,
  customers,
  endpoints,
  subscriptions,
  deliveries,
  'bulk-retries': made('See and cancel retries of many deliveries.'),
  'event-replays': made('See and cancel replays of events.'),
  stats: { ...made('See the traffic and the results of a project.'), defaultCommand: 'get' },
  sources,
  destinations,
  incoming,
  replays: made('See and cancel replays of many incoming events.'),
  jobs: made('See everything that runs in the background.'),
  alerts,
  verify,
  tunnels,
  listen,
  import: importGroup,
  export: exportOrganization,
  audit,
  retention: { ...made('See how long data is kept.'), defaultCommand: 'get' },
  search: { ...made('Find anything in an organization.'), defaultCommand: 'find' },
  open,
  config,
  completion,
  version,
  admin,
});
