import { yes } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';

export const deleteEndpoint = command({
  name: 'delete',
  summary: 'Delete an endpoint. Its pending deliveries fail.',
  args: { endpointId: { description: 'ID of the endpoint' } },
  options: { yes },
  examples: [{ line: 'endpoints delete $ENDPOINT_ID --yes', does: 'Delete an endpoint without a question.' }],
  run: async (context, { args, options }) => {
    const project = await context.inProject();
    const { url } = await context.client.endpoints.get(args.endpointId, project);
    await context.confirm(`Delete the endpoint ${url}?`, options.yes);
    await context.client.endpoints.remove(args.endpointId, project);
    context.out.done({ id: args.endpointId, deleted: true }, `Deleted the endpoint ${url}.`);
  },
});
