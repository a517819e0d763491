import { CliError, EXIT, usageError } from '@/lib/cli/cli-error';
import { withConfigLock } from '@/lib/cli/config/config-lock';
import { readCredentials } from '@/lib/cli/config/credentials';
import {
  changeProfile,
  DEFAULT_PROFILE,
  type Profile,
  readSettings,
  type Settings,
  serverUrl,
  writeSettings,
} from '@/lib/cli/config/settings';
import type { Context } from '@/lib/cli/context';
import { yes } from '@/lib/cli/options';
import { columns } from '@/lib/cli/output/column';
import { UUID } from '@/lib/cli/session/choose';
import { NOT_CLOSED, signOut } from '@/lib/cli/session/sign-out';
import { command, type GroupSpec } from '@/lib/cli/spec';

const NAMES = ['url', 'org', 'project'] as const;

/** @throws CliError when there is no such profile; the default one always exists */
function requireProfile({ profiles }: Settings, name: string): void {
  if (name === DEFAULT_PROFILE || Object.hasOwn(profiles, name)) return;
  const next = 'eds config list';
  throw new CliError(`There is no profile “${name}”.`, 'unknown_profile', { exitCode: EXIT.notFound, next });
}

const showConfig = command({
  summary: 'Show the current profile and where it’s stored.',
  examples: { 'config show': 'Show the server, the profile and the project.' },
  run: (context) => {
    const { folder, profileName, url, profile } = context;
    context.out.record({ profile: profileName, url, folder, ...profile }, [
      { header: 'PROFILE', value: () => profileName },
      { header: 'URL', value: () => url },
      { header: 'ORGANIZATION', value: () => profile.organizationId },
      { header: 'PROJECT', value: () => profile.projectId },
      { header: 'FOLDER', value: () => folder },
    ]);
  },
});

const COLUMNS = columns<ReturnType<typeof describeProfile>>(
  { header: 'PROFILE', value: ({ name }) => name },
  'url',
  'signedInAs',
  'inUse',
);

const listProfiles = command({
  summary: 'List the profiles.',
  examples: { 'config list': 'List the servers you use.' },
  run: async (context) => {
    const names = new Set([...Object.keys(context.settings.profiles), DEFAULT_PROFILE]);
    const rows = [...names].sort().map((name) => describeProfile(context, name));
    await context.out.list(rows, COLUMNS, { limit: undefined, empty: 'No profiles yet.' });
  },
});

function describeProfile({ settings, folder, profileName }: Context, name: string) {
  const credentials = readCredentials(folder, name);
  const signedInAs = credentials?.kind === 'session' ? credentials.email : credentials && 'an API key';
  return { name, url: settings.profiles[name]?.url ?? null, signedInAs, inUse: name === profileName };
}

const useProfile = command({
  summary: 'Set the default profile.',
  args: { profile: { description: 'name of the profile', completes: 'profile' } },
  examples: { 'config use staging': 'Switch to another server.' },
  run: async ({ folder, out, terminal }, { args: { profile } }) => {
    await withConfigLock(folder, async () => {
      const settings = readSettings(folder);
      requireProfile(settings, profile);
      writeSettings(folder, { ...settings, current: profile });
    });
    out.done({ profile }, `Commands now use the profile ${profile}.`);
    const { EDS_PROFILE } = terminal.env;
    if (EDS_PROFILE) out.note(`In this shell, EDS_PROFILE still selects the profile ${EDS_PROFILE}.`);
  },
});

type Name = (typeof NAMES)[number];

const setConfig = command({
  summary: 'Change a setting of the profile.',
  details:
    'Creates the profile if it doesn’t exist. An empty value removes the organization or the project. Changing the ' +
    'URL removes both, since they belong to the old server.',
  args: {
    name: { description: 'setting to change', choices: NAMES },
    value: { description: 'URL of the server, or ID of the organization or project; `""` for none' },
  },
  examples: {
    'config set url https://events.example.com --profile production': 'Name a server.',
    'config set project ""': 'Clear the project.',
  },
  run: async (context, { args: { name, value } }) => {
    const change = changeOf(name as Name, value);
    await changeProfile(context, change);
    const shown = { profile: context.profileName, [name]: (name === 'url' ? change.url : value) || null };
    context.out.done(shown, `Changed the ${name} of the profile ${context.profileName}.`);
  },
});

function changeOf(name: Name, value: string): Partial<Profile> {
  if (name === 'url') return { url: serverUrl({}, {}, value), organizationId: undefined, projectId: undefined };
  if (value !== '' && !UUID.test(value)) {
    const kind = name === 'org' ? 'an organization' : 'a project';
    throw usageError(`“${value}” is not the ID of ${kind}.`, `Choose it by its name: eds ${name}s use <name>`);
  }
  const id = value === '' ? undefined : value;
  return name === 'org' ? { organizationId: id, projectId: undefined } : { projectId: id };
}

const removeProfile = command({
  summary: 'Sign out of a profile and remove it from this machine.',
  args: { profile: { description: 'name of the profile', completes: 'profile' } },
  options: { yes },
  examples: { 'config remove staging --yes': 'Remove a profile without confirmation.' },
  run: async (context, { args: { profile }, options }) => {
    const { folder, out, settings } = context;
    requireProfile(settings, profile);
    await context.confirm(`Remove the profile ${profile} and sign out of it?`, options.yes);
    const ended = await signOut(context, profile);
    await withConfigLock(folder, async () => {
      const { current, profiles } = readSettings(folder);
      const { [profile]: _removed, ...others } = profiles;
      writeSettings(folder, { current: current === profile ? DEFAULT_PROFILE : current, profiles: others });
    });
    out.done({ profile, removed: true }, `Removed the profile ${profile}.`);
    if (ended?.isClosed === false) out.note(NOT_CLOSED);
  },
});

export const config: GroupSpec = {
  summary: 'Show and change profiles.',
  commands: { show: showConfig, list: listProfiles, use: useProfile, set: setConfig, remove: removeProfile },
};
