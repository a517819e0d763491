import { usageError } from '@/lib/cli/input/usage-error';
import { text } from '@/lib/cli/options';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';

export const updateSubscription = command({
  name: 'update',
  summary: 'Change a subscription’s event type.',
  args: { id: { description: 'ID of the subscription' } },
  options: { eventType: text('--event-type <type>', 'type of event, or a pattern') },
  examples: [{ line: `subscriptions update 0197b6a0-… --event-type 'order.*'`, does: 'Widen a subscription.' }],
  run: async (context, { args, options: { eventType } }) => {
    if (eventType === undefined) throw usageError('Give what to change: --event-type.');
    const { client, out, signal } = context;
    const project = { projectId: await context.projectId(), signal };
    const updated = await client.subscriptions.update(args.id, { eventType }, project);
    out.done(updated, `The subscription ${updated.id} now matches ${sanitize(updated.eventType)}.`);
  },
});
