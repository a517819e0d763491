/** The options that every command has. */
export const GLOBAL_OPTIONS = [
  { flags: '--json', description: 'write JSON to standard output' },
  { flags: '--profile <name>', description: 'use this profile (EDS_PROFILE)' },
  { flags: '--project <id|name>', description: 'use this project (EDS_PROJECT)' },
  { flags: '--org <id|name>', description: 'use this organization (EDS_ORG)' },
  { flags: '--no-color', description: 'write no color (NO_COLOR)' },
] as const;

/** The variables that commands read. */
export const ENVIRONMENT = [
  { name: 'EDS_API_URL', meaning: 'URL of the server; default is the one of the profile, or http://localhost:3000' },
  { name: 'EDS_API_KEY', meaning: 'key of a project; commands then act for it instead of the signed-in person' },
  { name: 'EDS_PROFILE', meaning: 'profile to use' },
  { name: 'EDS_PROJECT', meaning: 'ID or name of the project' },
  { name: 'EDS_ORG', meaning: 'ID or name of the organization' },
  { name: 'EDS_CONFIG_DIR', meaning: 'folder of profiles and credentials; default ~/.config/eds' },
  { name: 'EDS_ADMIN_TOKEN', meaning: 'the operator’s token, for eds admin' },
  { name: 'NO_COLOR, FORCE_COLOR', meaning: 'turn colors off or on; default: only on a terminal' },
] as const;

/** What each exit code means, for scripts. */
export const EXIT_MEANINGS = [
  { code: 0, meaning: 'success' },
  { code: 1, meaning: 'failure' },
  { code: 2, meaning: 'wrong usage' },
  { code: 3, meaning: 'not found' },
  { code: 4, meaning: 'not signed in' },
  { code: 5, meaning: 'forbidden' },
  { code: 6, meaning: 'rate limited' },
  { code: 7, meaning: 'the server cannot be reached' },
  { code: 130, meaning: 'interrupted' },
] as const;
