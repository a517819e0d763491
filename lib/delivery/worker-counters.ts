import type { SharedHistogram } from '@/lib/platform/metrics-counters';
import { FAILURE_CLASSES } from '@/lib/platform/net/failure-reason';
import type { SharedCounter } from '@/lib/platform/shared-counters';

/** Why the service disables a target. */
const DISABLE_REASONS = ['gone', 'failing'] as const;
export type DisableReason = (typeof DISABLE_REASONS)[number];

const OUTCOMES = ['succeeded', 'failed'];

/** What an attempt led to: a status, or why there was none. */
export const ATTEMPT_RESULTS = [
  ...(['succeeded', 'redirect', 'client_error', 'server_error'] as const),
  ...FAILURE_CLASSES,
  'not_sent',
] as const;
export type AttemptResultLabel = (typeof ATTEMPT_RESULTS)[number];

/** From 10 milliseconds, where nothing waits, to the retries of half a day. */
const LATENCY_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 43_200];

/** Counts events only: an incoming event may be replayed long after it arrived. */
export const FIRST_ATTEMPT: SharedHistogram = {
  name: 'delivery_first_attempt_seconds',
  help: 'Seconds from accepting an event to the start of the first attempt of each of its deliveries',
  buckets: LATENCY_BUCKETS,
};
export const SUCCESS: SharedHistogram = {
  name: 'delivery_success_seconds',
  help: 'Seconds from accepting an event to the success of each of its deliveries, including retries but not those by hand',
  buckets: LATENCY_BUCKETS,
};
export const DELIVERY_HISTOGRAMS: readonly SharedHistogram[] = [FIRST_ATTEMPT, SUCCESS];

/** The counters that all workers share, as /metrics shows them. */
export const WORKER_COUNTERS: readonly SharedCounter[] = [
  { name: 'worker_attempts_total', help: 'Delivery attempts', label: 'kind', labelValues: OUTCOMES },
  {
    name: 'worker_deliveries_completed_total',
    help: 'Deliveries that succeeded or failed for good',
    label: 'kind',
    labelValues: OUTCOMES,
  },
  {
    name: 'delivery_attempt_results_total',
    help: 'Delivery attempts by what they led to: success, class of the status, or why there was no response',
    label: 'result',
    labelValues: ATTEMPT_RESULTS,
  },
  {
    name: 'delivery_targets_disabled_total',
    help: 'Endpoints and destinations that the service disabled: gone (410), or failing for 120 hours',
    label: 'reason',
    labelValues: DISABLE_REASONS,
  },
  { name: 'outbox_fanned_out_total', help: 'Events and incoming events that were fanned out to deliveries' },
  {
    name: 'outbox_dead_total',
    help: 'Outbox rows that became dead letters',
    label: 'kind',
    labelValues: ['event', 'mail'],
  },
];
