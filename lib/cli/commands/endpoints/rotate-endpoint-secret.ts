import { yes } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';

export const rotateEndpointSecret = command({
  name: 'rotate-secret',
  summary: 'Replace the signing secret of an endpoint. Requests carry both signatures for 24 hours.',
  args: { endpointId: { description: 'ID of the endpoint' } },
  options: { yes },
  examples: [{ line: 'endpoints rotate-secret $ENDPOINT_ID --yes', does: 'Write the new secret to standard output.' }],
  run: async (context, { args, options }) => {
    const project = await context.inProject();
    const { url } = await context.client.endpoints.get(args.endpointId, project);
    await context.confirm(`Replace the signing secret of ${url}?`, options.yes);
    const secret = await context.client.endpoints.rotateSecret(args.endpointId, project);
    context.out.value(secret, secret.secret);
  },
});
