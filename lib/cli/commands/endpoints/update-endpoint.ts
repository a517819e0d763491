import { retrySeconds } from '@/lib/cli/input/retry-seconds';
import { usageError } from '@/lib/cli/input/usage-error';
import { text } from '@/lib/cli/options';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';

export const updateEndpoint = command({
  name: 'update',
  summary: 'Change the URL, the description or the retries of an endpoint.',
  args: { id: { description: 'ID of the endpoint' } },
  options: {
    url: text('--url <url>', 'where events are sent'),
    description: text('--description <text>', 'what the endpoint is for; empty removes it'),
    retrySeconds,
  },
  examples: [
    { line: 'endpoints update 0197b6a0-… --url https://example.com/v2/hooks', does: 'Move an endpoint.' },
    { line: 'endpoints update 0197b6a0-… --retry-seconds 5,60,3600', does: 'Give it its own retry schedule.' },
  ],
  run: async (context, { args, options }) => {
    const { url, description, retrySeconds } = options;
    const body = { url, description: description === '' ? null : description, retrySeconds };
    if (Object.values(body).every((value) => value === undefined)) {
      throw usageError('Give what to change: --url, --description or --retry-seconds.');
    }
    const { client, out, signal } = context;
    const updated = await client.endpoints.update(args.id, body, { projectId: await context.projectId(), signal });
    out.done(updated, `Changed the endpoint ${updated.id} (${sanitize(updated.url)}).`);
  },
});
