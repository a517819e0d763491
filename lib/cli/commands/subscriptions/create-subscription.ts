import { flag } from '@/lib/cli/options';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';

export const createSubscription = command({
  name: 'create',
  summary: 'Subscribe an endpoint to events of a type.',
  details:
    'A type is exact, such as `order.paid`, or a pattern: `order.*` for all types below `order`, or `*` for all events.',
  args: {
    endpointId: { description: 'ID of the endpoint' },
    eventType: { description: 'type of event, or a pattern' },
  },
  options: { disabled: flag('--disabled', 'start disabled') },
  examples: [
    { line: 'subscriptions create 0197b6a0-… order.paid', does: 'Send events of one type to an endpoint.' },
    { line: `subscriptions create 0197b6a0-… 'order.*'`, does: 'Send it all events that start with order.' },
  ],
  run: async (context, { args, options }) => {
    const { client, out, signal } = context;
    const body = { ...args, enabled: !options.disabled };
    const created = await client.subscriptions.create(body, { projectId: await context.projectId(), signal });
    out.done(created, `Subscribed the endpoint ${args.endpointId} to ${sanitize(created.eventType)} (${created.id}).`);
  },
});
