import { readCredentials } from '@/lib/cli/config/credentials';
import { command } from '@/lib/cli/spec';

export const listProfiles = command({
  name: 'list',
  summary: 'List the profiles.',
  examples: [{ line: 'config list', does: 'List the servers that you use.' }],
  run: async ({ folder, settings, out }) => {
    const rows = Object.entries(settings.profiles).map(([name, { url }]) => ({
      name,
      url: url ?? null,
      current: name === settings.current,
      signedIn: readCredentials(folder, name) !== null,
    }));
    await out.list(
      rows,
      [
        { header: 'PROFILE', value: ({ name }) => name },
        { header: 'URL', value: ({ url }) => url },
        { header: 'SIGNED IN', value: ({ signedIn }) => signedIn, kind: 'state' },
        { header: 'IN USE', value: ({ current }) => (current ? '*' : '') },
      ],
      { limit: undefined, empty: 'No profiles yet. Sign in: eds login' },
    );
  },
});
