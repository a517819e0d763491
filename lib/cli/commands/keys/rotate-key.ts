import type { Context } from '@/lib/cli/context';
import { usageError } from '@/lib/cli/input/usage-error';
import { duration, yes } from '@/lib/cli/options';
import { formatAge } from '@/lib/cli/output/format-age';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';
import type { ApiKey } from '@/lib/keys/schema';
import { EXPIRY, expiryOf } from './expiry';
import { showNewKey } from './show-new-key';

const HOUR_MS = 3_600_000;

export const rotateKey = command({
  name: 'rotate',
  summary: 'Rotate an API key and show the new one once.',
  details:
    'The new key has the name and scope of the old one. The old key works for the grace period, but not beyond its own expiry. ' +
    'When piped, writes only the key to standard output.',
  args: { id: { description: 'ID of the key' } },
  options: {
    gracePeriod: duration(
      '--grace-period <duration>',
      'how long the old key keeps working, in hours (default 24h; 0h stops it immediately)',
    ),
    ...EXPIRY,
    yes,
  },
  examples: [
    { line: 'keys rotate 0197b6a0-… --grace-period 48h', does: 'Keep the old key working for two more days.' },
    { line: 'keys rotate 0197b6a0-… --grace-period 0h --yes', does: 'Replace a leaked key.' },
  ],
  run: async (context, { args, options }) => {
    const { client, signal } = context;
    const body = { gracePeriodHours: toHours(options.gracePeriod), expiresAt: expiryOf(options) };
    const project = { projectId: await context.projectId(), signal };
    if (body.gracePeriodHours === 0) {
      const { name } = await client.apiKeys.get(args.id, project);
      await context.confirm(`Rotate the key “${sanitize(name)}”? The old key stops working immediately.`, options.yes);
    }
    const created = await client.apiKeys.rotate(args.id, body, project);
    showNewKey(context, created);
    if (context.out.isJson) return;
    // After the key is shown: an error here must not lose it.
    const old = await client.apiKeys.get(args.id, project).catch(() => null);
    if (old !== null) noteEnd(context, old);
  },
});

function toHours(ms: number | undefined): number | undefined {
  if (ms === undefined || ms % HOUR_MS === 0) return ms === undefined ? undefined : ms / HOUR_MS;
  throw usageError('--grace-period must be whole hours.', 'Give it as 1h, 24h or 7d.');
}

function noteEnd({ out }: Context, { status, expiresAt }: ApiKey): void {
  if (status !== 'ROTATING' || expiresAt === null) out.note('The old key has stopped working.');
  else out.note(`The old key works until ${expiresAt} (${formatAge(new Date(expiresAt), new Date())}).`);
}
