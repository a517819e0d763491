import { paging } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { TUNNEL_COLUMNS } from './tunnel-columns';

export const listTunnels = command({
  name: 'list',
  summary: 'List the tunnels of the project.',
  options: paging,
  examples: [{ line: 'tunnels list', does: 'List tunnels, and whether a client is connected.' }],
  run: async (context, { options }) => {
    const rows = context.client.tunnels.list({ limit: context.pageSize(options) }, await projectOptions(context));
    const empty = 'No tunnels yet. Open one: eds listen <port>';
    await context.out.list(rows, TUNNEL_COLUMNS, { limit: context.rowLimit(options), empty });
  },
});
