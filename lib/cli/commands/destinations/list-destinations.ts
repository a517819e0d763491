import { findSource, SOURCE } from '@/lib/cli/commands/sources/find-source';
import { paging } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { DESTINATION_COLUMNS } from './destination-columns';

export const listDestinations = command({
  name: 'list',
  summary: 'List the destinations of a source.',
  args: { source: SOURCE },
  options: paging,
  examples: [{ line: 'destinations list shop', does: 'List where the source named shop forwards events.' }],
  run: async (context, { args, options }) => {
    const { id } = await findSource(context, args.source);
    const page = { limit: context.pageSize(options) };
    const rows = context.client.destinations.list(id, page, await projectOptions(context));
    const empty = 'No destinations yet. Create one: eds destinations create <source> <url>';
    await context.out.list(rows, DESTINATION_COLUMNS, { limit: context.rowLimit(options), empty });
  },
});
