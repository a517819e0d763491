import { command } from '@/lib/cli/spec';

/** The command that enables or disables a subscription. */
const switchCommand = (name: 'enable' | 'disable', summary: string, does: string) =>
  command({
    name,
    summary,
    args: { id: { description: 'ID of the subscription' } },
    examples: [{ line: `subscriptions ${name} 0197b6a0-…`, does }],
    run: async (context, { args }) => {
      const { client, out, signal } = context;
      const project = { projectId: await context.projectId(), signal };
      const updated = await client.subscriptions.update(args.id, { enabled: name === 'enable' }, project);
      out.done(updated, `${name === 'enable' ? 'Enabled' : 'Disabled'} the subscription ${updated.id}.`);
    },
  });

export const enableSubscription = switchCommand('enable', 'Enable a subscription.', 'Resume its deliveries.');
export const disableSubscription = switchCommand(
  'disable',
  'Disable a subscription. It stops sending new events to its endpoint.',
  'Stop deliveries without losing the subscription.',
);
