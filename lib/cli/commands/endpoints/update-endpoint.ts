import { text } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { ENDPOINT_FIELDS } from './endpoint-columns';

export const updateEndpoint = command({
  name: 'update',
  summary: 'Change the URL or the description of an endpoint.',
  args: { endpointId: { description: 'ID of the endpoint' } },
  options: {
    url: text('--url <url>', 'where the events are sent from now on'),
    description: text('--description <text>', 'what the endpoint is for'),
  },
  examples: [
    { line: 'endpoints update $ENDPOINT_ID --url https://example.com/v2/hooks', does: 'Send events to another URL.' },
  ],
  run: async (context, { args, options }) => {
    const project = await context.inProject();
    context.out.record(await context.client.endpoints.update(args.endpointId, options, project), ENDPOINT_FIELDS);
  },
});
