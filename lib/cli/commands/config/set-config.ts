import { changeProfile } from '@/lib/cli/config/change-profile';
import type { Profile } from '@/lib/cli/config/settings';
import { usageError } from '@/lib/cli/input/usage-error';
import { serverUrl } from '@/lib/cli/session/access';
import { UUID } from '@/lib/cli/session/find-by-name';
import { command } from '@/lib/cli/spec';

const NAMES = ['url', 'org', 'project'] as const;
type Name = (typeof NAMES)[number];

export const setConfig = command({
  name: 'set',
  summary: 'Change a setting of the profile.',
  details:
    'Creates the profile if it doesn’t exist. An empty value removes the organization or the project. Changing the ' +
    'URL removes both, since they belong to the old server.',
  args: {
    name: { description: 'setting to change', choices: NAMES },
    value: { description: 'URL of the server, or ID of the organization or project; `""` for none' },
  },
  examples: [
    { line: 'config set url https://events.example.com --profile production', does: 'Name a server.' },
    { line: 'config set project ""', does: 'Clear the project.' },
  ],
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
