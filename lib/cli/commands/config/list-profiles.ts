import { readCredentials } from '@/lib/cli/config/credentials';
import { DEFAULT_PROFILE } from '@/lib/cli/config/settings';
import type { Context } from '@/lib/cli/context';
import type { Column } from '@/lib/cli/output/column';
import { command } from '@/lib/cli/spec';

type Row = ReturnType<typeof describeProfile>;

const COLUMNS: Column<Row>[] = [
  { header: 'PROFILE', value: ({ name }) => name },
  { header: 'URL', value: ({ url }) => url, kind: 'url' },
  { header: 'SIGNED IN AS', value: ({ signedInAs }) => signedInAs },
  { header: 'IN USE', value: ({ inUse }) => inUse },
];

export const listProfiles = command({
  name: 'list',
  summary: 'List the profiles.',
  examples: [{ line: 'config list', does: 'List the servers you use.' }],
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
