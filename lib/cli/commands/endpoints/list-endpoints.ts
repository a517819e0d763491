import { listCommand } from '@/lib/cli/commands/list-command';
import { ENDPOINT_COLUMNS } from './endpoint-columns';

export const listEndpoints = listCommand({
  summary: 'List the endpoints of the project.',
  within: 'project',
  columns: ENDPOINT_COLUMNS,
  empty: 'No endpoints yet. Create one: eds endpoints create <url>',
  examples: [{ line: 'endpoints list', does: 'List the endpoints of the project in use.' }],
  rows: ({ client }, { page, call }) => client.endpoints.list(page, call),
});
