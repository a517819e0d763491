import { config } from './commands/config/config';
import { login } from './commands/login';
import { logout } from './commands/logout';
import { projects } from './commands/projects/projects';
import { version } from './commands/version';
import { whoami } from './commands/whoami';
import type { CommandSpec, GroupSpec } from './spec';

/** Every command, in the order of the help. */
export const COMMANDS: readonly (CommandSpec | GroupSpec)[] = [login, logout, whoami, projects, config, version];
