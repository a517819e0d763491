import { choice, text } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { showNewKey } from './show-new-key';

export const createKey = command({
  name: 'create',
  summary: 'Create a key, and write it to standard output.',
  args: { name: { description: 'what the key is for, such as the name of a server' } },
  options: {
    scope: choice('--scope <scope>', 'what the key may do (default READ_WRITE)', ['READ_WRITE', 'READ_ONLY']),
    expires: text('--expires <time>', 'when the key expires: an RFC 3339 time, or a date'),
  },
  examples: [
    { line: 'keys create "Shop server"', does: 'Create a key that never expires.' },
    { line: 'keys create CI --scope read_only --expires 2027-01-31', does: 'Create a key that only reads.' },
  ],
  run: async (context, { args, options }) => {
    const body = { name: args.name, scope: options.scope, expiresAt: options.expires };
    const made = await context.client.apiKeys.create(body, await context.inProject());
    showNewKey(context, made, `Created the key ${made.name} (${made.id}).`);
  },
});
