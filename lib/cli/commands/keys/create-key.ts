import { prepareFolder } from '@/lib/cli/config/json-file';
import { saveProjectKey } from '@/lib/cli/config/project-keys';
import { choice, flag, text } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { showNewKey } from './show-new-key';

export const createKey = command({
  name: 'create',
  summary: 'Create a key, and write it to standard output.',
  args: { name: { description: 'what the key is for, such as the name of a server' } },
  options: {
    scope: choice('--scope <scope>', 'what the key may do (default READ_WRITE)', ['READ_WRITE', 'READ_ONLY']),
    save: flag('--save', 'keep the key on this machine for eds send, and do not write it'),
    expires: text('--expires <time>', 'when the key expires: an RFC 3339 time, or a date'),
  },
  examples: [
    { line: 'keys create "Shop server"', does: 'Create a key that never expires.' },
    { line: 'keys create my-machine --save', does: 'Create the key that eds send needs.' },
    { line: 'keys create CI --scope read_only --expires 2027-01-31', does: 'Create a key that only reads.' },
  ],
  run: async (context, { args, options }) => {
    // Before the key exists: one that cannot be stored would be lost.
    if (options.save) prepareFolder(context.folder);
    const body = { name: args.name, scope: options.scope, expiresAt: options.expires };
    const made = await context.client.apiKeys.create(body, await context.inProject());
    if (options.save) {
      await saveProjectKey(context.folder, context.url, await context.projectId(), made.key);
      const { key: _secret, ...shown } = made;
      return context.out.done(shown, `Created the key ${made.name}. eds send uses it.`);
    }
    showNewKey(context, made, `Created the key ${made.name} (${made.id}).`);
  },
});
