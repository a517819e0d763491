import { command } from '@/lib/cli/spec';

export const createSubscription = command({
  name: 'create',
  summary: 'Subscribe an endpoint to events.',
  args: {
    endpointId: { description: 'ID of the endpoint' },
    type: { description: 'an event type, a prefix such as order.*, or *' },
  },
  examples: [{ line: "subscriptions create $ENDPOINT_ID 'order.*'", does: 'Send all order events to an endpoint.' }],
  run: async (context, { args }) => {
    const body = { endpointId: args.endpointId, eventType: args.type };
    const made = await context.client.subscriptions.create(body, await context.inProject());
    context.out.done(made, `Created the subscription ${made.id} to ${made.eventType}.`);
  },
});
