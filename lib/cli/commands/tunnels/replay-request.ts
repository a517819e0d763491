import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { findTunnel, TUNNEL } from './find-tunnel';

export const replayRequest = command({
  name: 'replay',
  summary: 'Send a logged request through its tunnel again.',
  args: { tunnel: TUNNEL, request: { description: 'ID of the request' } },
  examples: [{ line: 'tunnels replay laptop 0198c0de-…', does: 'Repeat a request.' }],
  run: async (context, { args }) => {
    const { id } = await findTunnel(context, args.tunnel);
    const replayed = await context.client.tunnels.replayRequest(id, args.request, await projectOptions(context));
    context.out.done(replayed, 'Sent the request again.');
    if (!context.out.isJson) context.out.note(`Show it: eds tunnels requests ${id} ${replayed.requestId}`);
  },
});
