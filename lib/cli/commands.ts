import { admin } from './commands/admin/admin';
import { audit } from './commands/audit';
import { completion } from './commands/completion';
import { config } from './commands/config/config';
import { deliveries } from './commands/deliveries/deliveries';
import { endpoints } from './commands/endpoints/endpoints';
import { events } from './commands/events/events';
import { send } from './commands/events/send-event';
import { keys } from './commands/keys/keys';
import { login } from './commands/login';
import { logout } from './commands/logout';
import { open } from './commands/open';
import { orgs } from './commands/orgs/orgs';
import { projects } from './commands/projects/projects';
import { subscriptions } from './commands/subscriptions/subscriptions';
import { version } from './commands/version';
import { whoami } from './commands/whoami';
import type { CommandSpec, GroupSpec } from './spec';

/** Every command, in the order of the help. */
export const COMMANDS: readonly (CommandSpec | GroupSpec)[] = [
  ...[login, logout, whoami, projects],
  ...[keys, events, send, endpoints, subscriptions, deliveries],
  ...[config, version],
];
