import { yes } from '@/lib/cli/options';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';

export const deleteEndpoint = command({
  name: 'delete',
  summary: 'Delete an endpoint with its subscriptions and secrets. Its deliveries are kept.',
  args: { id: { description: 'ID of the endpoint' } },
  options: { yes },
  examples: [{ line: 'endpoints delete 0197b6a0-… --yes', does: 'Delete an endpoint without confirmation.' }],
  run: async (context, { args, options }) => {
    const { client, out, signal } = context;
    const project = { projectId: await context.projectId(), signal };
    const { id, url } = await client.endpoints.get(args.id, project);
    await context.confirm(`Delete the endpoint ${sanitize(url)} with its subscriptions?`, options.yes);
    await client.endpoints.remove(id, project);
    out.done({ id, deleted: true }, `Deleted the endpoint ${sanitize(url)}.`);
  },
});
