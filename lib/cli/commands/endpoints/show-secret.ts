import { command } from '@/lib/cli/spec';

export const showSecret = command({
  name: 'secret',
  summary: 'Show the secret that signs requests to an endpoint.',
  details: 'Writes only the secret to standard output. This is recorded in the audit log.',
  args: { id: { description: 'ID of the endpoint' } },
  examples: [
    { line: 'endpoints secret 0197b6a0-…', does: 'Show the secret.' },
    {
      line: 'endpoints secret 0197b6a0-… | gh secret set WEBHOOK_SECRET',
      does: 'Pass it to another program without showing it.',
    },
  ],
  run: async (context, { args }) => {
    const { client, out, signal } = context;
    const found = await client.endpoints.getSecret(args.id, { projectId: await context.projectId(), signal });
    out.value(found, found.secret);
    const { previousSecretExpiresAt } = found;
    if (previousSecretExpiresAt !== null) out.hint(`The one before it is valid until ${previousSecretExpiresAt}.`);
  },
});
