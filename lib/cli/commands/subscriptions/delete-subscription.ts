import { yes } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';

export const deleteSubscription = command({
  name: 'delete',
  summary: 'Delete a subscription.',
  args: { subscriptionId: { description: 'ID of the subscription' } },
  options: { yes },
  examples: [{ line: 'subscriptions delete $SUBSCRIPTION_ID --yes', does: 'Delete it without a question.' }],
  run: async (context, { args, options }) => {
    const project = await context.inProject();
    const { eventType } = await context.client.subscriptions.get(args.subscriptionId, project);
    await context.confirm(`Delete the subscription to ${eventType}?`, options.yes);
    await context.client.subscriptions.remove(args.subscriptionId, project);
    context.out.done({ id: args.subscriptionId, deleted: true }, `Deleted the subscription to ${eventType}.`);
  },
});
