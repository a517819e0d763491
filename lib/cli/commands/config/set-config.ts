import { changeProfile } from '@/lib/cli/config/change-profile';
import { usageError } from '@/lib/cli/input/usage-error';
import { serverUrl } from '@/lib/cli/session/access';
import { command } from '@/lib/cli/spec';

const NAMES = { url: 'url', org: 'organizationId', project: 'projectId' } as const;

export const setConfig = command({
  name: 'set',
  summary: 'Change a value of the profile.',
  details: 'The names are url, org and project. An empty value removes one.',
  args: { name: { description: 'url, org or project' }, value: { description: 'the value, or "" for none' } },
  examples: [
    { line: 'config set url https://events.example.com', does: 'Use another address of the server.' },
    { line: 'config set project ""', does: 'Forget the project.' },
  ],
  run: async (context, { args }) => {
    if (!Object.hasOwn(NAMES, args.name)) {
      const message = `There is no value “${args.name}”: use ${Object.keys(NAMES).join(', ')}.`;
      throw usageError(message);
    }
    const name = NAMES[args.name as keyof typeof NAMES];
    const value = args.name === 'url' && args.value !== '' ? serverUrl({}, {}, args.value) : args.value;
    await changeProfile(context, { [name]: value === '' ? undefined : value });
    context.out.done({ [args.name]: value || null }, `Changed ${args.name} of the profile ${context.profileName}.`);
  },
});
