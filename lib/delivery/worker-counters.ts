import type { SharedCounter } from '@/lib/platform/shared-counters';

const OUTCOMES = ['succeeded', 'failed'];

/** What the workers count, all of them together, as /metrics shows it. */
export const WORKER_COUNTERS: readonly SharedCounter[] = [
  { name: 'worker_attempts_total', help: 'Attempts made to deliver', label: 'kind', labelValues: OUTCOMES },
  {
    name: 'worker_deliveries_completed_total',
    help: 'Deliveries that came to their end',
    label: 'kind',
    labelValues: OUTCOMES,
  },
  { name: 'outbox_fanned_out_total', help: 'Events and incoming events that were turned into deliveries' },
  {
    name: 'outbox_dead_total',
    help: 'Outbox rows that were given up',
    label: 'kind',
    labelValues: ['event', 'mail'],
  },
];
