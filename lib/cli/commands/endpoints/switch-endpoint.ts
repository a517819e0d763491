import { sanitize } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';

/** The command that enables or disables an endpoint. */
const switchCommand = (name: 'enable' | 'disable', summary: string, does: string) =>
  command({
    name,
    summary,
    args: { id: { description: 'ID of the endpoint' } },
    examples: [{ line: `endpoints ${name} 0197b6a0-…`, does }],
    run: async (context, { args }) => {
      const { client, out, signal } = context;
      const project = { projectId: await context.projectId(), signal };
      const updated = await client.endpoints.update(args.id, { enabled: name === 'enable' }, project);
      const done = name === 'enable' ? 'Enabled' : 'Disabled';
      out.done(updated, `${done} the endpoint ${updated.id} (${sanitize(updated.url)}).`);
      if (name === 'enable')
        out.hint(`Retry what has failed: eds deliveries retry --all-failed --endpoint ${updated.id}`);
    },
  });

export const enableEndpoint = switchCommand(
  'enable',
  'Enable an endpoint. It gets new events again.',
  'Resume deliveries after the receiver is repaired.',
);
export const disableEndpoint = switchCommand(
  'disable',
  'Disable an endpoint. It gets no new events, and its pending deliveries fail when they are due.',
  'Stop deliveries to a receiver.',
);
