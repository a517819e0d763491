import { yes } from '@/lib/cli/options';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';

export const rotateSecret = command({
  name: 'rotate-secret',
  summary: 'Rotate an endpoint’s signing secret. The old one stays valid for 24 hours.',
  details:
    'Until then, requests carry both signatures. A secret from before an earlier rotation stops working immediately.',
  args: { id: { description: 'ID of the endpoint' } },
  options: { yes },
  examples: [
    {
      line: 'endpoints rotate-secret 0197b6a0-…',
      does: 'Rotate a secret. Show the new one with eds endpoints secret.',
    },
  ],
  run: async (context, { args, options }) => {
    const { client, out, signal } = context;
    const project = { projectId: await context.projectId(), signal };
    const { id, url } = await client.endpoints.get(args.id, project);
    await context.confirm(`Replace the signing secret of ${sanitize(url)}?`, options.yes);
    const { previousSecretExpiresAt } = await client.endpoints.rotateSecret(id, project);
    out.done({ id, previousSecretExpiresAt }, `Replaced the signing secret of the endpoint ${id}.`);
    if (out.isJson) return;
    if (previousSecretExpiresAt !== null) out.note(`  The old one is valid until ${previousSecretExpiresAt}.`);
    out.note(`  Show the new one: eds endpoints secret ${id}`);
  },
});
