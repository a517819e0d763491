import { usageError } from '@/lib/cli/cli-error';
import { isUnencrypted } from '@/lib/cli/config/settings';
import type { Context } from '@/lib/cli/context';
import { readStdin } from '@/lib/cli/input/read-input';
import { flag, text } from '@/lib/cli/options';
import { command, type GroupSpec } from '@/lib/cli/spec';

/** What an import makes, and what it reads. */
const OPERATIONS = [] as const;

const DETAILS =
  'Endpoints are made paused: they receive nothing before you resume them. What exists stays as it is, so the command can be run again at any time. It ends with a table, and exits with 1 if something could not be taken over.';

const options = (name: string, variable: string, only: string) => ({
  url: text('--url <url>', `URL of the ${name} server`),
  token: text(
    '--token <token|->',
    `its token, or \`-\` for standard input. Better is \`${variable}\`, which other users cannot see`,
  ),
  dryRun: flag('--dry-run', 'change nothing, and show what would be made'),
  only: text('--only <list>', only),
});

export const importGroup: GroupSpec = {
  summary: 'Take over customers and endpoints from another service.',
  commands: {
    svix: command({
      operations: OPERATIONS,
      summary: 'Take over applications from Svix, with their endpoints, secrets, headers and event types.',
      details: DETAILS,
      options: options('Svix', 'SVIX_TOKEN', 'only applications with these uids or IDs, separated by commas'),
      examples: {
        'import svix --url https://api.eu.svix.com --dry-run': 'See what would be made.',
        'import svix --url https://api.eu.svix.com --only acme,globex': 'Take over two applications.',
      },
      run: async (context, { options: given }) => {
        const server = await serverOf(context, 'Svix', 'SVIX_TOKEN', given);
        const { svixService } = await import('./svix');
        await run(context, svixService(server, listed(given.only)), given.dryRun);
      },
    }),
    convoy: command({
      operations: OPERATIONS,
      summary: 'Take over endpoints from a project of Convoy, with their secrets, subscriptions and owners.',
      details: DETAILS,
      options: {
        ...options('Convoy', 'CONVOY_API_KEY', 'only endpoints of these owners, separated by commas'),
        fromProject: text('--from-project <id>', 'ID of the project there'),
      },
      examples: {
        'import convoy --url https://us.getconvoy.cloud --from-project 01HXYZ --dry-run': 'See what would be made.',
      },
      run: async (context, { options: given }) => {
        const { fromProject, url } = given;
        if (fromProject === undefined) throw usageError('Name the project of Convoy with --from-project.');
        // Its documentation names its servers with this path.
        const base = url?.replace(/\/api\/*$/, '');
        const server = await serverOf(context, 'Convoy', 'CONVOY_API_KEY', { ...given, url: base });
        const { convoyService } = await import('./convoy');
        await run(context, convoyService(server, fromProject, listed(given.only)), given.dryRun);
      },
    }),
  },
};

async function run(
  context: Context,
  ...rest: Parameters<typeof import('./run-import').runImport> extends [unknown, ...infer R] ? R : never
) {
  const { runImport } = await import('./run-import');
  await runImport(context, ...rest);
}

interface Given {
  url: string | undefined;
  token: string | undefined;
}

async function serverOf(context: Context, name: string, variable: string, { url, token }: Given) {
  const { terminal } = context;
  if (url === undefined) throw usageError(`Name the ${name} server with --url.`);
  // Before standard input is read.
  void context.access;
  const given = token === '-' ? await readStdin(terminal, `the token of ${name}`) : (token ?? terminal.env[variable]);
  const trimmed = given?.trim() ?? '';
  if (trimmed === '') throw usageError(`Set ${variable} to a token of ${name}.`, `Or pipe it: --token -`);
  if (isUnencrypted(url)) {
    context.out.note(`The connection to ${name} isn’t encrypted. Others on the network could take over its token.`);
  }
  const { ForeignServer } = await import('./foreign-server');
  return new ForeignServer(context, { name, url, token: trimmed });
}

const listed = (list: string | undefined) => (list ?? '').split(/[\s,]+/).filter((each) => each !== '');
