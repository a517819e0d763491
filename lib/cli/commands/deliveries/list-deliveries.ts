import { listCommand } from '@/lib/cli/commands/list-command';
import { deliveryFilters, stateFilter, toDeliveryQuery } from './delivery-filters';
import { DELIVERY_COLUMNS } from './delivery-state';

export const listDeliveries = listCommand({
  summary: 'List deliveries, newest first.',
  within: 'project',
  options: { ...deliveryFilters, state: stateFilter },
  columns: DELIVERY_COLUMNS,
  empty: 'No deliveries match.',
  examples: [
    { line: 'deliveries list --state failed', does: 'List what could not be delivered.' },
    { line: 'deliveries list --event $EVENT_ID', does: 'List where an event went.' },
  ],
  rows: ({ client }, { options, page, call }) =>
    client.deliveries.list({ ...page, ...toDeliveryQuery(options, options.state) }, call),
});
