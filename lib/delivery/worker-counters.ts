import type { SharedCounter } from '@/lib/platform/shared-counters';

const OUTCOMES = ['succeeded', 'failed'];

/** The counters that all workers share, as /metrics shows them. */
export const WORKER_COUNTERS: readonly SharedCounter[] = [
  { name: 'worker_attempts_total', help: 'Delivery attempts', label: 'kind', labelValues: OUTCOMES },
  {
    name: 'worker_deliveries_completed_total',
    help: 'Deliveries that succeeded or failed for good',
    label: 'kind',
    labelValues: OUTCOMES,
  },
  { name: 'outbox_fanned_out_total', help: 'Events and incoming events that were fanned out to deliveries' },
  {
    name: 'outbox_dead_total',
    help: 'Outbox rows that became dead letters',
    label: 'kind',
    labelValues: ['event', 'mail'],
  },
];
