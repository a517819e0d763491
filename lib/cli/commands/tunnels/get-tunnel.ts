import { command } from '@/lib/cli/spec';
import { findTunnel, TUNNEL } from './find-tunnel';
import { TUNNEL_FIELDS } from './tunnel-columns';

export const getTunnel = command({
  name: 'get',
  summary: 'Show a tunnel with its URL.',
  args: { tunnel: TUNNEL },
  examples: [{ line: 'tunnels get laptop', does: 'Show the tunnel named laptop.' }],
  run: async (context, { args }) => {
    context.out.record(await findTunnel(context, args.tunnel), TUNNEL_FIELDS);
  },
});
