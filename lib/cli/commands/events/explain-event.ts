import { flag } from '@/lib/cli/options';
import { columns } from '@/lib/cli/output/column';
import { command } from '@/lib/cli/spec';
import type { RoutingItem } from '@/lib/delivery/schema';
import { sanitize } from '@/lib/platform/terminal/sanitize';

const MAX_PAGE = 100;

const COLUMNS = columns<RoutingItem>(
  { header: 'OUTCOME', value: ({ outcome }) => outcome },
  'url',
  { header: 'REASON', value: ({ reason }) => reason },
  { header: 'ENDPOINT', value: ({ endpointId }) => endpointId, kind: 'id' },
  { header: 'DELIVERY', value: ({ deliveryId }) => deliveryId, kind: 'id' },
);

const EMPTY = 'The project has no endpoint that the event could go to. Create one: eds endpoints create <url>';

export const explainEvent = command({
  operations: ['events.listRouting'],
  summary: 'Show where an event went, and where not and why.',
  args: { id: { description: 'ID of the event' } },
  options: { all: flag('-a, --all', 'show the endpoints of other customers too') },
  examples: {
    'events explain 0197b6a0-…': 'See why an endpoint did not get an event.',
    'events explain 0197b6a0-… --json | jq \'.[] | select(.outcome == "FILTERED")\'':
      'Get the endpoints whose filter left it out.',
  },
  run: async ({ client, out, terminal }, { args: { id }, options: { all } }) => {
    const rows = client.events.listRouting(id, { limit: MAX_PAGE, ...(all && { all }) });
    // A table would cut the reasons.
    if (out.isJson || !terminal.stdout.isTTY) return out.list(rows, COLUMNS, { limit: undefined, empty: EMPTY });
    const { green, yellow, dim } = out.style;
    let count = 0;
    let unsent: string | undefined;
    for await (const { outcome, url, endpointId, reason, deliveryId } of rows) {
      count += 1;
      const isSent = outcome === 'SENT';
      out.text(`${(isSent ? green : yellow)(sanitize(outcome))}  ${sanitize(url)}  ${dim(sanitize(endpointId))}`);
      out.text(`  ${sanitize(reason)}${deliveryId === null ? '' : dim(` Delivery ${sanitize(deliveryId)}`)}`);
      if (reason.endsWith(' Send this event to it.')) unsent ??= endpointId;
    }
    if (count === 0) out.note(EMPTY);
    if (unsent !== undefined) out.hint(`Send it to an endpoint: eds events send-to ${id} ${unsent}`);
  },
});
