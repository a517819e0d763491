import type { Column } from '@/lib/cli/output/column';
import type { EventListItem } from '@/lib/events/schema';

/** What came of an event: the worst of its deliveries. */
function stateOf({ fanOutStatus, deliveries: { failed, retrying, queued, succeeded } }: EventListItem): string {
  if (failed > 0 || fanOutStatus === 'DEAD') return 'FAILED';
  if (retrying > 0) return 'RETRYING';
  if (queued > 0 || fanOutStatus === 'PENDING') return 'QUEUED';
  return succeeded > 0 ? 'SUCCEEDED' : 'none';
}

export const EVENT_COLUMNS: Column<EventListItem>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'TYPE', value: ({ type }) => type },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
  { header: 'DELIVERIES', value: stateOf, kind: 'state' },
  { header: 'SUCCEEDED', value: ({ deliveries }) => deliveries.succeeded, spare: 1 },
  { header: 'FAILED', value: ({ deliveries }) => deliveries.failed, spare: 1 },
  { header: 'RETRYING', value: ({ deliveries }) => deliveries.retrying, spare: 1 },
  { header: 'QUEUED', value: ({ deliveries }) => deliveries.queued, spare: 1 },
];
