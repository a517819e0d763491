import { yes } from '@/lib/cli/options';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';

export const revokeKey = command({
  name: 'revoke',
  summary: 'Revoke an API key. It stops working immediately.',
  args: { id: { description: 'ID of the key' } },
  options: { yes },
  examples: [{ line: 'keys revoke 0197b6a0-… --yes', does: 'Revoke a key without confirmation.' }],
  run: async (context, { args, options }) => {
    const { client, out, signal } = context;
    const project = { projectId: await context.projectId(), signal };
    const { id, name, hint, status } = await client.apiKeys.get(args.id, project);
    const key = `the key “${sanitize(name)}” (${sanitize(hint)})`;
    if (status === 'REVOKED') return out.done({ id, revoked: true }, `Already revoked: ${key}.`);
    await context.confirm(`Revoke ${key}? It stops working immediately.`, options.yes);
    await client.apiKeys.revoke(id, project);
    out.done({ id, revoked: true }, `Revoked ${key}.`);
  },
});
