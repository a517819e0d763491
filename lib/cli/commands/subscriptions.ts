import { usageError } from '@/lib/cli/cli-error';
import { flag, text } from '@/lib/cli/options';
import type { Column } from '@/lib/cli/output/column';
import { command, type GroupSpec } from '@/lib/cli/spec';
import type { Subscription } from '@/lib/delivery/schema';
import { TargetNames } from './deliveries/delivery-rows';
import { deleteCommand, listCommand } from './resource';

const ID = { id: { description: 'ID of the subscription' } };

/** The columns of the subscriptions of one endpoint. */
export const ENDPOINT_SUBSCRIPTION_COLUMNS: Column<Subscription>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'EVENT TYPE', value: ({ eventType }) => eventType },
  { header: 'STATE', value: ({ enabled }) => (enabled ? 'enabled' : 'disabled'), kind: 'state' },
];

const listSubscriptions = listCommand({
  summary: 'List which endpoint receives which events.',
  within: 'project',
  options: { endpoint: text('--endpoint <id>', 'only subscriptions of this endpoint') },
  columns: [
    ...ENDPOINT_SUBSCRIPTION_COLUMNS,
    { header: 'ENDPOINT', value: ({ target }: Subscription & { target: string }) => target, kind: 'url' },
    { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 1 },
  ],
  empty: 'No subscriptions. Create one: eds subscriptions create <endpoint-id> <event-type>',
  examples: [
    { line: 'subscriptions list', does: 'Show where the project’s events go.' },
    { line: 'subscriptions list --endpoint 0197b6a0-…', does: 'Show which events an endpoint receives.' },
  ],
  rows: (context, { options, page, call }) => {
    const query = { ...page, ...(options.endpoint && { endpointId: options.endpoint }) };
    return new TargetNames(context, call).ofAll(context.client.subscriptions.list(query, call));
  },
});

const createSubscription = command({
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
    const body = { ...args, enabled: !options.disabled };
    const created = await context.client.subscriptions.create(body, await context.projectOptions());
    const { id, eventType } = created;
    context.out.done(created, `Subscribed the endpoint ${args.endpointId} to ${eventType} (${id}).`);
  },
});

const updateSubscription = command({
  name: 'update',
  summary: 'Change a subscription’s event type.',
  args: ID,
  options: { eventType: text('--event-type <type>', 'type of event, or a pattern') },
  examples: [{ line: `subscriptions update 0197b6a0-… --event-type 'order.*'`, does: 'Widen a subscription.' }],
  run: async (context, { args, options: { eventType } }) => {
    if (eventType === undefined) throw usageError('Give what to change: --event-type.');
    const project = await context.projectOptions();
    const updated = await context.client.subscriptions.update(args.id, { eventType }, project);
    context.out.done(updated, `The subscription ${updated.id} now matches ${updated.eventType}.`);
  },
});

/** The command that enables or disables a subscription. */
const switchCommand = (name: 'enable' | 'disable', summary: string, does: string) =>
  command({
    name,
    summary,
    args: ID,
    examples: [{ line: `subscriptions ${name} 0197b6a0-…`, does }],
    run: async (context, { args }) => {
      const body = { enabled: name === 'enable' };
      const updated = await context.client.subscriptions.update(args.id, body, await context.projectOptions());
      context.out.done(updated, `${body.enabled ? 'Enabled' : 'Disabled'} the subscription ${updated.id}.`);
    },
  });

const enableSubscription = switchCommand('enable', 'Enable a subscription.', 'Resume its deliveries.');
const disableSubscription = switchCommand(
  'disable',
  'Disable a subscription. It stops sending new events to its endpoint.',
  'Stop deliveries without losing the subscription.',
);

const nameOf = ({ endpointId, eventType }: Subscription) =>
  `the subscription of the endpoint ${endpointId} to ${eventType}`;

const deleteSubscription = deleteCommand({
  summary: 'Delete a subscription.',
  args: ID,
  examples: [{ line: 'subscriptions delete 0197b6a0-… --yes', does: 'Delete a subscription without confirmation.' }],
  find: ({ client }, { id }, project) => client.subscriptions.get(id, project),
  question: (found) => `Delete ${nameOf(found)}?`,
  remove: (client, { id }, project) => client.subscriptions.remove(id, project),
  done: (found) => `Deleted ${nameOf(found)}.`,
});

export const subscriptions: GroupSpec = {
  name: 'subscriptions',
  summary: 'Choose which endpoint receives which events.',
  commands: [
    ...[listSubscriptions, createSubscription, updateSubscription],
    ...[enableSubscription, disableSubscription, deleteSubscription],
  ],
};
