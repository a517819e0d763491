import { flag, text } from './options';
import type { OptionSpec } from './spec';

/** The options that every command has. */
export const GLOBAL_OPTIONS: readonly Omit<OptionSpec<unknown>, 'parse'>[] = [
  flag('--json', 'write JSON to standard output'),
  { ...text('--profile <name>', 'use this profile (`EDS_PROFILE`)'), completes: 'profile' },
  text('--project <id|name>', 'use this project (`EDS_PROJECT`)'),
  text('--org <id|name>', 'use this organization (`EDS_ORG`)'),
  flag('--no-color', 'disable color (`NO_COLOR`)'),
];

/** The variables that commands read. */
export const ENVIRONMENT = [
  { name: 'EDS_API_URL', meaning: 'URL of the server (default: the profile’s, or `http://localhost:3000`)' },
  { name: 'EDS_API_KEY', meaning: 'API key of a project, used instead of your session' },
  { name: 'EDS_PROFILE', meaning: 'profile to use' },
  { name: 'EDS_PROJECT', meaning: 'ID or name of the project' },
  { name: 'EDS_ORG', meaning: 'ID or name of the organization' },
  { name: 'EDS_CONFIG_DIR', meaning: 'folder for profiles and credentials (default: `~/.config/eds`)' },
  { name: 'EDS_ADMIN_TOKEN', meaning: 'operator token, for `eds admin`' },
  { name: 'NO_COLOR, FORCE_COLOR', meaning: 'turn colors off or on (default: only on a terminal)' },
] as const;

/** What each exit code means, for scripts. */
export const EXIT_MEANINGS = [
  { code: 0, meaning: 'success' },
  { code: 1, meaning: 'failure' },
  { code: 2, meaning: 'invalid usage' },
  { code: 3, meaning: 'not found' },
  { code: 4, meaning: 'not signed in' },
  { code: 5, meaning: 'forbidden' },
  { code: 6, meaning: 'rate limited' },
  { code: 7, meaning: 'server unreachable' },
  { code: 130, meaning: 'interrupted' },
] as const;
