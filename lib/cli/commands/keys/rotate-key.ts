import { integer, text } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { showNewKey } from './show-new-key';

export const rotateKey = command({
  name: 'rotate',
  summary: 'Replace a key. The old one keeps working for a while.',
  args: { keyId: { description: 'ID of the key' } },
  options: {
    grace: integer('--grace <hours>', 'how long the old key keeps working (default 24)', { min: 0, max: 8_760 }),
    expires: text('--expires <time>', 'when the new key expires: an RFC 3339 time, or a date'),
  },
  examples: [{ line: 'keys rotate $KEY_ID --grace 1', does: 'Replace a key; the old one works for an hour.' }],
  run: async (context, { args, options }) => {
    const body = { gracePeriodHours: options.grace, expiresAt: options.expires };
    const made = await context.client.apiKeys.rotate(args.keyId, body, await context.inProject());
    showNewKey(context, made, `Created the key ${made.name} (${made.id}), which replaces ${args.keyId}.`);
  },
});
