import { command } from '@/lib/cli/spec';
import { ENDPOINT_FIELDS } from './endpoint-columns';

export const getEndpoint = command({
  name: 'get',
  summary: 'Show an endpoint.',
  args: { endpointId: { description: 'ID of the endpoint' } },
  examples: [{ line: 'endpoints get $ENDPOINT_ID', does: 'Show its state and its retry schedule.' }],
  run: async (context, { args }) => {
    context.out.record(await context.client.endpoints.get(args.endpointId, await context.inProject()), ENDPOINT_FIELDS);
  },
});
