import { listCommand } from '@/lib/cli/commands/list-command';
import { text } from '@/lib/cli/options';

export const listSubscriptions = listCommand({
  summary: 'List the subscriptions of the project, or of an endpoint.',
  within: 'project',
  options: { endpoint: text('--endpoint <id>', 'only those of this endpoint') },
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'EVENTS', value: ({ eventType }) => eventType },
    { header: 'ENDPOINT', value: ({ endpointId }) => endpointId },
    { header: 'STATE', value: ({ enabled }) => (enabled ? 'enabled' : 'disabled'), kind: 'state' },
  ],
  empty: 'No subscriptions yet. Create one: eds subscriptions create <endpoint-id> <type>',
  examples: [{ line: 'subscriptions list', does: 'List the subscriptions of the project in use.' }],
  rows: ({ client }, { options, page, call }) =>
    client.subscriptions.list({ ...page, endpointId: options.endpoint }, call),
});
