import { listCommand } from '@/lib/cli/commands/resource';
import { choice, text, time } from '@/lib/cli/options';
import { command, type GroupSpec } from '@/lib/cli/spec';
import { DELIVERY_STATUS_FILTERS } from '@/lib/events/delivery-state-policy';
import type { EventListItem } from '@/lib/events/schema';
import { sendEvent } from './send-event';
import { getEventText, showEvent } from './show-event';
import { TYPE_FILTER, tailEvents } from './tail-events';

/** What came of an event: the worst of its deliveries. */
function stateOf({ fanOutStatus, deliveries: { failed, retrying, queued, succeeded } }: EventListItem): string {
  if (failed > 0 || fanOutStatus === 'DEAD') return 'FAILED';
  if (retrying > 0) return 'RETRYING';
  if (queued > 0 || fanOutStatus === 'PENDING') return 'QUEUED';
  return succeeded > 0 ? 'SUCCEEDED' : 'none';
}

const listEvents = listCommand({
  summary: 'List events and the state of their deliveries, newest first.',
  within: 'project',
  options: {
    type: TYPE_FILTER,
    status: choice('--status <status>', 'only events with a delivery in this state', DELIVERY_STATUS_FILTERS),
    endpoint: text('--endpoint <id>', 'only events with a delivery to this endpoint'),
    from: time('--from <time>', 'only events since this time'),
    to: time('--to <time>', 'only events until this time'),
  },
  columns: [
    { header: 'ID', value: ({ id }) => id, kind: 'id' },
    { header: 'TYPE', value: ({ type }) => type },
    { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
    { header: 'DELIVERIES', value: stateOf, kind: 'state' },
    { header: 'SUCCEEDED', value: ({ deliveries }) => deliveries.succeeded, spare: 1 },
    { header: 'FAILED', value: ({ deliveries }) => deliveries.failed, spare: 1 },
    { header: 'RETRYING', value: ({ deliveries }) => deliveries.retrying, spare: 1 },
    { header: 'QUEUED', value: ({ deliveries }) => deliveries.queued, spare: 1 },
  ],
  empty: 'No events match. Send one: eds send <type> -d <json>',
  examples: [
    { line: `events list --type 'order.*' --from 1h`, does: 'List order events from the last hour.' },
    { line: 'events list --status failed --all --json', does: 'List those with failed deliveries.' },
  ],
  rows: ({ client }, { options: { type, status, endpoint: endpointId, from, to }, page, call }) =>
    client.events.list({ ...page, type, status, endpointId, from, to }, call),
});

const getEvent = command({
  name: 'get',
  summary: 'Show an event with its data and deliveries.',
  args: { id: { description: 'ID of the event' } },
  examples: [
    { line: 'events get 0197b6a0-…', does: 'Show what was sent and how it was delivered.' },
    { line: 'events get 0197b6a0-… --json | jq .data', does: 'Get the data.' },
  ],
  run: async (context, { args }) => {
    const project = await context.projectOptions();
    await showEvent(context, project, await getEventText(context, args.id, project), true);
  },
});

export const events: GroupSpec = {
  name: 'events',
  summary: 'Send, find and follow events.',
  commands: [sendEvent, listEvents, getEvent, tailEvents],
};
