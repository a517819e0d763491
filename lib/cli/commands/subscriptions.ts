import { usageError } from '@/lib/cli/cli-error';
import { flag, text } from '@/lib/cli/options';
import { columns, ENABLED } from '@/lib/cli/output/column';
import { action, list, remove } from '@/lib/cli/resource';
import type { GroupSpec } from '@/lib/cli/spec';
import type { Subscription } from '@/lib/delivery/schema';
import { TargetNames } from './deliveries/delivery-rows';

const ID = { id: { description: 'ID of the subscription' } };

/** The columns of the subscriptions of one endpoint. */
export const ENDPOINT_SUBSCRIPTION_COLUMNS = columns<Subscription>(
  'id',
  { header: 'EVENT TYPE', value: ({ eventType }) => eventType },
  ENABLED,
);

const nameOf = ({ endpointId, eventType }: Subscription) =>
  `the subscription of the endpoint ${endpointId} to ${eventType}`;

export const subscriptions: GroupSpec = {
  summary: 'Choose which endpoint receives which events.',
  commands: {
    list: list({
      summary: 'List which endpoint receives which events.',
      options: { endpointId: text('--endpoint <id>', 'only subscriptions of this endpoint') },
      columns: columns<Subscription & { target: string }>(
        ...ENDPOINT_SUBSCRIPTION_COLUMNS,
        { header: 'ENDPOINT', value: ({ target }) => target, kind: 'url' },
        'createdAt:1',
      ),
      empty: 'No subscriptions. Create one: eds subscriptions create <endpoint-id> <event-type>',
      examples: {
        'subscriptions list': 'Show where the project’s events go.',
        'subscriptions list --endpoint 0197b6a0-…': 'Show which events an endpoint receives.',
      },
      rows: (context, { endpointId, ...page }) => {
        const query = { ...page, endpointId: endpointId || undefined };
        return new TargetNames(context).ofAll(context.client.subscriptions.list(query));
      },
    }),
    create: action({
      summary: 'Subscribe an endpoint to events of a type.',
      details:
        'A type is exact, such as `order.paid`, or a pattern: `order.*` for all types below `order`, or `*` for all events.',
      args: {
        endpointId: { description: 'ID of the endpoint' },
        eventType: { description: 'type of event, or a pattern' },
      },
      options: { disabled: flag('--disabled', 'start disabled') },
      examples: {
        'subscriptions create 0197b6a0-… order.paid': 'Send events of one type to an endpoint.',
        "subscriptions create 0197b6a0-… 'order.*'": 'Send it all events that start with order.',
      },
      call: ({ client }, { args, options }) => client.subscriptions.create({ ...args, enabled: !options.disabled }),
      done: ({ id, endpointId, eventType }) => `Subscribed the endpoint ${endpointId} to ${eventType} (${id}).`,
    }),
    update: action({
      summary: 'Change a subscription’s event type.',
      args: ID,
      options: { eventType: text('--event-type <type>', 'type of event, or a pattern') },
      examples: { "subscriptions update 0197b6a0-… --event-type 'order.*'": 'Widen a subscription.' },
      call: async ({ client }, { args, options }) => {
        if (options.eventType === undefined) throw usageError('Give what to change: --event-type.');
        return await client.subscriptions.update(args.id, options);
      },
      done: ({ id, eventType }) => `The subscription ${id} now matches ${eventType}.`,
    }),
    enable: action({
      summary: 'Enable a subscription.',
      args: ID,
      examples: { 'subscriptions enable 0197b6a0-…': 'Resume its deliveries.' },
      call: ({ client }, { args }) => client.subscriptions.update(args.id, { enabled: true }),
      done: ({ id }) => `Enabled the subscription ${id}.`,
    }),
    disable: action({
      summary: 'Disable a subscription. It stops sending new events to its endpoint.',
      args: ID,
      examples: { 'subscriptions disable 0197b6a0-…': 'Stop deliveries without losing the subscription.' },
      call: ({ client }, { args }) => client.subscriptions.update(args.id, { enabled: false }),
      done: ({ id }) => `Disabled the subscription ${id}.`,
    }),
    delete: remove({
      summary: 'Delete a subscription.',
      args: ID,
      examples: { 'subscriptions delete 0197b6a0-… --yes': 'Delete a subscription without confirmation.' },
      find: ({ client }, { id }) => client.subscriptions.get(id),
      confirm: (found) => `Delete ${nameOf(found)}?`,
      call: ({ client }, { id }) => client.subscriptions.remove(id),
      done: (found) => `Deleted ${nameOf(found)}.`,
    }),
  },
};
