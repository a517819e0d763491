import { listCommand } from '@/lib/cli/commands/list-command';
import { text, time } from '@/lib/cli/options';

export const listEvents = listCommand({
  summary: 'List events, newest first.',
  within: 'project',
  options: {
    type: text('-t, --type <type>', 'only this type, or a prefix such as order.*'),
    from: time('--from <time>', 'only events since then'),
    to: time('--to <time>', 'only events until then'),
  },
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'TYPE', value: ({ type }) => type },
    { header: 'DELIVERED', value: ({ deliveries }) => deliveries.succeeded },
    { header: 'PENDING', value: ({ deliveries }) => deliveries.pending },
    { header: 'FAILED', value: ({ deliveries }) => deliveries.failed },
    { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
  ],
  empty: 'No events match. Send one: eds events send <type> -d <json>',
  examples: [
    { line: 'events list --from 1h', does: 'List the events of the last hour.' },
    { line: "events list --type 'order.*' --json", does: 'List order events as JSON.' },
  ],
  rows: ({ client }, { options: { type, from, to }, page, call }) =>
    client.events.list({ ...page, type, from, to }, call),
});
