import { columns, ENABLED } from '@/lib/cli/output/column';
import { route } from '@/lib/cli/routes/route-command';
import type { GroupSpec } from '@/lib/cli/spec';
import type { Subscription } from '@/lib/delivery/schema';
import { TargetNames } from './deliveries/delivery-rows';

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
    list: route('subscriptions.list', {
      summary: 'List which endpoint receives which events.',
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
      rows: (context, rows) => new TargetNames(context).ofAll(rows),
    }),
    create: route('subscriptions.create', {
      summary: 'Subscribe an endpoint to events of a type.',
      details:
        'A type is exact, such as `order.paid`, or a pattern: `order.*` for all types below `order`, or `*` for all events.',
      args: ['endpointId', 'eventType'],
      examples: {
        'subscriptions create 0197b6a0-… order.paid': 'Send events of one type to an endpoint.',
        "subscriptions create 0197b6a0-… 'order.*'": 'Send it all events that start with order.',
      },
      done: ({ id, endpointId, eventType }) => `Subscribed the endpoint ${endpointId} to ${eventType} (${id}).`,
    }),
    update: route('subscriptions.update', {
      summary: 'Change a subscription’s event type.',
      examples: { "subscriptions update 0197b6a0-… --event-type 'order.*'": 'Widen a subscription.' },
      done: ({ id, eventType }) => `The subscription ${id} now matches ${eventType}.`,
    }),
    enable: route('subscriptions.update', {
      summary: 'Enable a subscription.',
      fields: [],
      examples: { 'subscriptions enable 0197b6a0-…': 'Resume its deliveries.' },
      call: (_context, { send }) => send({ enabled: true }),
      done: ({ id }) => `Enabled the subscription ${id}.`,
    }),
    disable: route('subscriptions.update', {
      summary: 'Disable a subscription. It stops sending new events to its endpoint.',
      fields: [],
      examples: { 'subscriptions disable 0197b6a0-…': 'Stop deliveries without losing the subscription.' },
      call: (_context, { send }) => send({ enabled: false }),
      done: ({ id }) => `Disabled the subscription ${id}.`,
    }),
    delete: route('subscriptions.remove', {
      summary: 'Delete a subscription.',
      examples: { 'subscriptions delete 0197b6a0-… --yes': 'Delete a subscription without confirmation.' },
      confirm: (found) => `Delete ${nameOf(found)}?`,
      done: (_result, found) => `Deleted ${nameOf(found)}.`,
    }),
  },
};
