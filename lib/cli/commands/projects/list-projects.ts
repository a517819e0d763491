import { paging } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { PROJECT_COLUMNS } from './project-columns';

export const listProjects = command({
  name: 'list',
  summary: 'List the projects of the organization.',
  options: paging,
  examples: [{ line: 'projects list', does: 'List the projects of the organization in use.' }],
  run: async (context, { options }) => {
    const organizationId = await context.organizationId();
    const rows = context.client.projects.list(
      organizationId,
      { limit: context.pageSize(options) },
      { signal: context.signal },
    );
    const empty = 'No projects yet. Create one: eds projects create <name>';
    await context.out.list(rows, PROJECT_COLUMNS, { limit: context.rowLimit(options), empty });
  },
});
