import { paging } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { SOURCE_COLUMNS } from './source-columns';

export const listSources = command({
  name: 'list',
  summary: 'List the sources of the project.',
  options: paging,
  examples: [
    { line: 'sources list', does: 'List the newest sources.' },
    { line: 'sources list --all --json', does: 'Write all sources as JSON.' },
  ],
  run: async (context, { options }) => {
    const rows = context.client.sources.list({ limit: context.pageSize(options) }, await projectOptions(context));
    const empty = 'No sources yet. Create one: eds sources create <name>';
    await context.out.list(rows, SOURCE_COLUMNS, { limit: context.rowLimit(options), empty });
  },
});
