import { SECOND_MS } from '@/lib/platform/clock';
import { setGauge } from '@/lib/platform/metrics';
import type { Collector } from '@/lib/platform/metrics-collectors';
import { readFigures } from '@/lib/platform/read-figures';
import { MAX_COUNTED, measureQueue } from './workers-sql';

/** Several scrapers of one process share a statement. */
const INTERVAL_MS = 5 * SECOND_MS;

/** What waits to be delivered. Web processes expose it, since workers listen on no port. */
export const DELIVERY_QUEUE: Collector = {
  name: 'delivery_queue',
  intervalMs: () => INTERVAL_MS,
  collect: async () => {
    const [found] = await readFigures(measureQueue);
    if (found === undefined) return;
    const counted = `counted up to ${MAX_COUNTED}`;
    setGauge(
      { name: 'delivery_due', help: `Deliveries that are due and not with a worker, ${counted}` },
      found.dueDeliveries,
    );
    setGauge(
      {
        name: 'delivery_oldest_due_age_seconds',
        help: 'How long the oldest due delivery has been due; 0 when none is',
      },
      found.deliverySeconds ?? 0,
    );
    setGauge({ name: 'outbox_pending', help: `Events and incoming events to fan out, ${counted}` }, found.outboxRows);
    setGauge(
      {
        name: 'outbox_oldest_due_age_seconds',
        help: 'How long the oldest due outbox row has been due, of events (also incoming ones) or of mails; 0 when none is',
        label: 'kind',
      },
      [
        ['event', found.eventSeconds ?? 0],
        ['mail', found.mailSeconds ?? 0],
      ],
    );
    setGauge(
      {
        name: 'mail_oldest_unsent_age_seconds',
        help: 'How long ago the oldest mail that is not sent yet was written, with those that failed; 0 without one',
      },
      found.unsentMailSeconds ?? 0,
    );
  },
};
