import { yes } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { findTunnel, TUNNEL } from './find-tunnel';

export const deleteTunnel = command({
  name: 'delete',
  summary: 'Delete a tunnel. Its URL stops working immediately, and its client disconnects.',
  args: { tunnel: TUNNEL },
  options: { yes },
  examples: [{ line: 'tunnels delete laptop --yes', does: 'Delete a tunnel without confirmation.' }],
  run: async (context, { args, options }) => {
    const { id, name, online } = await findTunnel(context, args.tunnel);
    const warning = online ? ' A client is connected.' : '';
    await context.confirm(`Delete the tunnel ${name} with its URL?${warning}`, options.yes);
    await context.client.tunnels.remove(id, await projectOptions(context));
    context.out.done({ id, deleted: true }, `Deleted the tunnel ${name}.`);
  },
});
