import { command } from '@/lib/cli/spec';

export const showEndpointSecret = command({
  name: 'secret',
  summary: 'Show the secret with which requests to an endpoint are signed.',
  args: { endpointId: { description: 'ID of the endpoint' } },
  examples: [{ line: 'endpoints secret $ENDPOINT_ID', does: 'Write the secret to standard output.' }],
  run: async (context, { args }) => {
    const secret = await context.client.endpoints.getSecret(args.endpointId, await context.inProject());
    context.out.value(secret, secret.secret);
  },
});
