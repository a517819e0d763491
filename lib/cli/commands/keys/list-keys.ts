import { paging } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { KEY_COLUMNS } from './key-columns';

export const listKeys = command({
  name: 'list',
  summary: 'List the API keys of the project.',
  options: paging,
  examples: [
    { line: 'keys list', does: 'Show all keys and when each was last used.' },
    { line: `keys list --all --json | jq '.[] | select(.status == "ACTIVE")'`, does: 'Get the active keys.' },
  ],
  run: async (context, { options }) => {
    const { client, out, signal } = context;
    const projectId = await context.projectId();
    const rows = client.apiKeys.list({ limit: context.pageSize(options) }, { projectId, signal });
    const empty = 'No API keys yet. Create one: eds keys create <name>';
    await out.list(rows, KEY_COLUMNS, { limit: context.rowLimit(options), empty });
  },
});
