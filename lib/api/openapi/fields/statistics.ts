import type { FieldDescriptions } from './types';

/** Fields of statistics. */
export const STATISTICS: FieldDescriptions = {
  'Stats.from': 'Start of the first bucket',
  'Stats.to': 'End of the last bucket, which may be in the future',
  bucketSeconds: 'How long a bucket is',
  totals: 'The whole range',
  previousTotals: 'The range of the same length before; null when its statistics are no longer kept',
  buckets: 'The range in steps, without gaps',
  startsAt: 'When the period begins',
  events: 'Events that were accepted',
  incoming: 'Incoming events that were accepted',
  unsigned: 'From sources without signatures',
  rejected: 'With a signature that is not valid; kept, but not forwarded',
  attempts: 'Attempts of deliveries, retries included',
  failures: 'Failed attempts by reason',
  redirects: 'Responses with a status from 300 to 399',
  clientErrors: 'Responses with a status from 400 to 499',
  serverErrors: 'Responses with a status from 500 on',
  timeouts: 'No connection or no response in time',
  noResponses: 'No usable response for another reason: the host name, the connection or TLS',
  deliveries: 'Deliveries that ended: successes, and failures after the last attempt',
  attemptDuration: 'How long attempts took; null without one',
  deliveryLatency:
    'From the acceptance of an event to the end of the successful attempt; null without one. Without deliveries that were retried by hand, and without forwards',
  p50Ms: 'Median in milliseconds, at most 19 % off',
  p95Ms: '95th percentile in milliseconds, at most 19 % off',
  failingTargets:
    'The endpoints and destinations with the most failed attempts: at most five, in the hours or days that the range touches',
  failedDeliveries: 'Deliveries that failed after their last attempt',
  backlog: 'What waits now',
  waiting: 'Deliveries that have not ended, retries included',
  waitingIsAtLeast: 'Whether there are more',
  oldestDueAt: 'When the oldest delivery was due that no worker has begun; null when nothing waits',
  hours: 'The last 24 hours, the current one last',
  lastDeliveries: 'The last ten deliveries, newest first',
};
