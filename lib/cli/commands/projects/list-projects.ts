import { listCommand } from '@/lib/cli/commands/list-command';
import { PROJECT_COLUMNS } from './project-columns';

export const listProjects = listCommand({
  summary: 'List the projects of the organization.',
  within: 'organization',
  columns: PROJECT_COLUMNS,
  empty: 'No projects yet. Create one: eds projects create <name>',
  examples: [{ line: 'projects list', does: 'List the current organization’s projects.' }],
  rows: ({ client }, { page, call, organizationId }) => client.projects.list(organizationId, page, call),
});
