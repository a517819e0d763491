import { text } from '@/lib/cli/options';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';

export const enableEndpoint = command({
  name: 'enable',
  summary: 'Enable an endpoint. It receives new events again.',
  args: { id: { description: 'ID of the endpoint' } },
  examples: [{ line: 'endpoints enable 0197b6a0-…', does: 'Resume deliveries after fixing the receiver.' }],
  run: async (context, { args }) => {
    const { client, out, signal } = context;
    const project = { projectId: await context.projectId(), signal };
    const updated = await client.endpoints.update(args.id, { enabled: true }, project);
    out.done(updated, `Enabled the endpoint ${updated.id} (${sanitize(updated.url)}).`);
    out.hint(`Retry what failed: eds deliveries retry --all-failed --endpoint ${updated.id}`);
  },
});

export const disableEndpoint = command({
  name: 'disable',
  summary: 'Disable an endpoint. It receives no new events, and its pending deliveries fail when they come due.',
  args: { id: { description: 'ID of the endpoint' } },
  options: { reason: text('--reason <text>', 'why, for your colleagues') },
  examples: [
    { line: `endpoints disable 0197b6a0-… --reason 'Moving data centers'`, does: 'Stop deliveries to a receiver.' },
  ],
  run: async (context, { args, options }) => {
    const { client, out, signal } = context;
    const project = { projectId: await context.projectId(), signal };
    const updated = await client.endpoints.update(args.id, { enabled: false, pauseReason: options.reason }, project);
    out.done(updated, `Disabled the endpoint ${updated.id} (${sanitize(updated.url)}).`);
  },
});
