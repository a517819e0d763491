import { yes } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';

export const revokeKey = command({
  name: 'revoke',
  summary: 'Revoke a key. It stops working at once.',
  args: { keyId: { description: 'ID of the key' } },
  options: { yes },
  examples: [{ line: 'keys revoke $KEY_ID --yes', does: 'Revoke a key without a question.' }],
  run: async (context, { args, options }) => {
    const project = await context.inProject();
    const { name, hint } = await context.client.apiKeys.get(args.keyId, project);
    await context.confirm(
      `Revoke the key ${name} (${hint})? Servers that use it can send no more events.`,
      options.yes,
    );
    await context.client.apiKeys.revoke(args.keyId, project);
    context.out.done({ id: args.keyId, revoked: true }, `Revoked the key ${name}.`);
  },
});
