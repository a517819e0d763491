import { type CommandSpec, command } from '@/lib/cli/spec';

function switchCommand(name: string, enabled: boolean, summary: string, does: string): CommandSpec {
  return command({
    name,
    summary,
    args: { endpointId: { description: 'ID of the endpoint' } },
    examples: [{ line: `endpoints ${name} $ENDPOINT_ID`, does }],
    run: async (context, { args }) => {
      const project = await context.inProject();
      const endpoint = await context.client.endpoints.update(args.endpointId, { enabled }, project);
      context.out.done(endpoint, `${enabled ? 'Enabled' : 'Disabled'} the endpoint ${endpoint.url}.`);
    },
  });
}

export const enableEndpoint = switchCommand('enable', true, 'Send events to an endpoint again.', 'End a pause.');
export const disableEndpoint = switchCommand(
  'disable',
  false,
  'Stop sending events to an endpoint.',
  'Pause an endpoint.',
);
