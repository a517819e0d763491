import { choice } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { EXPIRY, expiryOf } from './expiry';
import { showNewKey } from './show-new-key';

export const createKey = command({
  name: 'create',
  summary: 'Create an API key, and show it this one time.',
  details: 'Through a pipe, standard output is the key alone.',
  args: { name: { description: 'what the key is for' } },
  options: {
    scope: choice('--scope <scope>', 'what the key may do (default READ_WRITE)', ['READ_WRITE', 'READ_ONLY']),
    ...EXPIRY,
  },
  examples: [
    { line: 'keys create server', does: 'Create a key that sends events.' },
    { line: 'keys create reports --scope read-only --expires-in 90d', does: 'Create a key that reads for 90 days.' },
    { line: 'keys create ci | gh secret set EDS_API_KEY', does: 'Hand the key to another program unseen.' },
  ],
  run: async (context, { args, options }) => {
    const { client, out, signal } = context;
    const body = { name: args.name, scope: options.scope, expiresAt: expiryOf(options) };
    const created = await client.apiKeys.create(body, { projectId: await context.projectId(), signal });
    showNewKey(context, created);
    out.hint(`Revoke it with eds keys revoke ${created.id}`);
  },
});
