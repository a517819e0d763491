import type { Column } from '@/lib/cli/output/column';
import type { Subscription } from '@/lib/delivery/schema';

/** The columns of the subscriptions of one endpoint. */
export const ENDPOINT_SUBSCRIPTION_COLUMNS: Column<Subscription>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'EVENT TYPE', value: ({ eventType }) => eventType },
  { header: 'STATE', value: ({ enabled }) => (enabled ? 'enabled' : 'disabled'), kind: 'state' },
];

/** The columns of subscriptions with the URL of their endpoint. */
export const SUBSCRIPTION_COLUMNS: Column<Subscription & { target: string }>[] = [
  ...ENDPOINT_SUBSCRIPTION_COLUMNS,
  { header: 'ENDPOINT', value: ({ target }) => target, kind: 'url' },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 1 },
];
