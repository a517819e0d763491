import type { Column } from '@/lib/cli/output/column';
import type { EventListItem } from '@/lib/events/schema';

/** What came of an event: the worst of its deliveries. */
function stateOf({ deliveries: { failed, pending, succeeded } }: EventListItem): string {
  if (failed > 0) return 'FAILED';
  if (pending > 0) return 'PENDING';
  return succeeded > 0 ? 'SUCCEEDED' : 'none';
}

export const EVENT_COLUMNS: Column<EventListItem>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'TYPE', value: ({ type }) => type },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
  { header: 'DELIVERIES', value: stateOf, kind: 'state' },
  { header: 'SUCCEEDED', value: ({ deliveries }) => deliveries.succeeded, spare: 1 },
  { header: 'FAILED', value: ({ deliveries }) => deliveries.failed, spare: 1 },
  { header: 'PENDING', value: ({ deliveries }) => deliveries.pending, spare: 1 },
];
