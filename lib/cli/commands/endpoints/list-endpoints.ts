import { paging } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { ENDPOINT_COLUMNS } from './endpoint-columns';

export const listEndpoints = command({
  name: 'list',
  summary: 'List the endpoints of the project.',
  options: paging,
  examples: [
    { line: 'endpoints list', does: 'Show where events go and whether they arrive.' },
    { line: `endpoints list --all --json | jq '.[] | select(.failingSince)'`, does: 'Get those that are failing.' },
  ],
  run: async (context, { options }) => {
    const { client, out, signal } = context;
    const projectId = await context.projectId();
    const rows = client.endpoints.list({ limit: context.pageSize(options) }, { projectId, signal });
    const empty = `No endpoints yet. Create one: eds endpoints create <url> --event '*'`;
    await out.list(rows, ENDPOINT_COLUMNS, { limit: context.rowLimit(options), empty });
  },
});
