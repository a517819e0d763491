import { text, texts } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import type { Subscription } from '@/lib/delivery/schema';

export const createEndpoint = command({
  name: 'create',
  summary: 'Create an endpoint, and subscribe it to events.',
  details:
    'Without --events the endpoint gets every event of the project. Its requests are signed: eds endpoints secret <id>',
  args: { url: { description: 'where the events are sent' } },
  options: {
    events: texts('--events <type>', 'an event type, a prefix such as order.*, or *; may be repeated'),
    description: text('--description <text>', 'what the endpoint is for'),
  },
  examples: [
    { line: 'endpoints create https://example.com/hooks', does: 'Send every event to a URL.' },
    {
      line: "endpoints create https://example.com/hooks --events 'order.*' --events user.created",
      does: 'Send some events to a URL.',
    },
  ],
  run: async (context, { args, options }) => {
    const project = await context.inProject();
    const { client, out } = context;
    const endpoint = await client.endpoints.create({ url: args.url, description: options.description }, project);
    const subscriptions: Subscription[] = [];
    for (const eventType of options.events.length === 0 ? ['*'] : options.events) {
      subscriptions.push(await client.subscriptions.create({ endpointId: endpoint.id, eventType }, project));
    }
    const types = subscriptions.map(({ eventType }) => eventType).join(', ');
    out.done({ ...endpoint, subscriptions }, `Created the endpoint ${endpoint.id}, which gets ${types}.`);
    if (!out.isJson) out.note(`Show its signing secret: eds endpoints secret ${endpoint.id}`);
  },
});
