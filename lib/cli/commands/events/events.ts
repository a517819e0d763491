import { CUSTOMER, columns, MATCH } from '@/lib/cli/output/column';
import { route } from '@/lib/cli/routes/route-command';
import { command, type GroupSpec } from '@/lib/cli/spec';
import type { EventListItem } from '@/lib/events/schema';
import { explainEvent } from './explain-event';
import { replayEvents } from './replay-events';
import { sendCommand } from './send-event';
import { getEventText, showEvent } from './show-event';
import { TYPE_FILTER, tailEvents } from './tail-events';

/** What came of an event: the worst of its deliveries. */
function stateOf({ fanOutStatus, deliveries: { failed, retrying, queued, succeeded } }: EventListItem): string {
  if (failed > 0 || fanOutStatus === 'DEAD') return 'FAILED';
  if (retrying > 0) return 'RETRYING';
  if (queued > 0 || fanOutStatus === 'PENDING') return 'QUEUED';
  return succeeded > 0 ? 'SUCCEEDED' : 'none';
}

export const events: GroupSpec = {
  summary: 'Send, find and follow events.',
  commands: {
    send: sendCommand('events send'),
    list: route('events.list', {
      summary: 'List events and the state of their deliveries, newest first.',
      options: { type: TYPE_FILTER },
      columns: columns<EventListItem>(
        'id',
        'type',
        'createdAt',
        { header: 'DELIVERIES', value: stateOf, kind: 'state' },
        { header: 'SUCCEEDED', value: ({ deliveries }) => deliveries.succeeded, spare: 1 },
        { header: 'FAILED', value: ({ deliveries }) => deliveries.failed, spare: 1 },
        { header: 'RETRYING', value: ({ deliveries }) => deliveries.retrying, spare: 1 },
        { header: 'QUEUED', value: ({ deliveries }) => deliveries.queued, spare: 1 },
        CUSTOMER,
        MATCH,
      ),
      empty: 'No events match. Send one: eds send <type> -d <json>',
      examples: {
        "events list --type 'order.*' --from 1h": 'List order events from the last hour.',
        'events list --status failed --all --json': 'List those with failed deliveries.',
        'events list --customer cus_8f2c1': 'List those of a customer.',
      },
    }),
    get: command({
      operations: ['events.get'],
      summary: 'Show an event with its data and deliveries.',
      args: { id: { description: 'ID of the event' } },
      examples: {
        'events get 0197b6a0-…': 'Show what was sent and how it was delivered.',
        'events get 0197b6a0-… --json | jq .data': 'Get the data.',
      },
      run: async (context, { args }) => await showEvent(context, await getEventText(context, args.id), true),
    }),
    explain: explainEvent,
    'send-to': route('events.sendToEndpoint', {
      summary: 'Send an event to an endpoint that it did not go to.',
      details: 'Its subscriptions and filter do not matter. A delivery that exists is retried: `eds deliveries retry`.',
      args: ['endpointId'],
      examples: { 'events send-to 0197b6a0-… 0197b6a3-…': 'Send an event to one endpoint.' },
      done: ({ id, targetUrl }) => `Sending the event to ${targetUrl} (delivery ${id}).`,
    }),
    replay: replayEvents,
    tail: tailEvents,
  },
};
