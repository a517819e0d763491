import { yes } from '@/lib/cli/options';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';

export const deleteSubscription = command({
  name: 'delete',
  summary: 'Delete a subscription.',
  args: { id: { description: 'ID of the subscription' } },
  options: { yes },
  examples: [{ line: 'subscriptions delete 0197b6a0-… --yes', does: 'Delete a subscription without confirmation.' }],
  run: async (context, { args, options }) => {
    const { client, out, signal } = context;
    const project = { projectId: await context.projectId(), signal };
    const { id, eventType, endpointId } = await client.subscriptions.get(args.id, project);
    const name = `the subscription of the endpoint ${endpointId} to ${sanitize(eventType)}`;
    await context.confirm(`Delete ${name}?`, options.yes);
    await client.subscriptions.remove(id, project);
    out.done({ id, deleted: true }, `Deleted ${name}.`);
  },
});
