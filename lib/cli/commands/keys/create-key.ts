import { prepareFolder } from '@/lib/cli/config/prepare-folder';
import { saveProjectKey } from '@/lib/cli/config/project-keys';
import { choice, flag } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { EXPIRY, expiryOf } from './expiry';
import { showNewKey } from './show-new-key';

export const createKey = command({
  name: 'create',
  summary: 'Create an API key and show it once.',
  details: 'When piped, writes only the key to standard output.',
  args: { name: { description: 'name of the key' } },
  options: {
    scope: choice('--scope <scope>', 'what the key can do (default `READ_WRITE`)', ['READ_WRITE', 'READ_ONLY']),
    save: flag('--save', 'store the key on this machine for `eds send` instead of showing it'),
    ...EXPIRY,
  },
  examples: [
    { line: 'keys create server', does: 'Create a key that sends events.' },
    { line: 'keys create my-machine --save', does: 'Create the key that eds send needs.' },
    {
      line: 'keys create reports --scope read-only --expires-in 90d',
      does: 'Create a read-only key that expires in 90 days.',
    },
    { line: 'keys create ci | gh secret set EDS_API_KEY', does: 'Pass the key to another program without showing it.' },
  ],
  run: async (context, { args, options }) => {
    const { client, out, signal, folder, url } = context;
    // Before the key exists: one that cannot be stored would be lost.
    if (options.save) prepareFolder(folder);
    const projectId = await context.projectId();
    const body = { name: args.name, scope: options.scope, expiresAt: expiryOf(options) };
    const created = await client.apiKeys.create(body, { projectId, signal });
    if (options.save) {
      await saveProjectKey(folder, url, projectId, created.key);
      const { key: _secret, ...shown } = created;
      return out.done(shown, `Created the key ${created.name}. eds send uses it.`);
    }
    showNewKey(context, created);
    out.hint(`Revoke it with eds keys revoke ${created.id}`);
  },
});
