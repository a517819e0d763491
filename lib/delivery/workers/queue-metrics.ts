import { knownCells } from '@/lib/platform/cells/current-cell';
import { SECOND_MS } from '@/lib/platform/clock';
import { setGauge, setLabelledGauge } from '@/lib/platform/metrics';
import type { Collector } from '@/lib/platform/metrics-collectors';
import { readFigures, readInEachCell } from '@/lib/platform/read-figures';
import { MAX_COUNTED, measureMails, measureQueue, type QueueRow } from './workers-sql';

type AgeName = 'deliverySeconds' | 'eventSeconds';

/** Several scrapers of one process share a statement. */
const INTERVAL_MS = 5 * SECOND_MS;

/** What waits to be delivered, of all cells together, and of each where there are several. Web processes expose it, since workers listen on no port. */
export const DELIVERY_QUEUE: Collector = {
  name: 'delivery_queue',
  intervalMs: () => INTERVAL_MS,
  collect: async () => {
    const byCell = await readInEachCell(async (cell) => {
      const [found] = await readFigures(measureQueue);
      return found === undefined ? [] : [[{ cell }, found] as const];
    });
    const found = byCell.flat();
    const [mails] = await readFigures(measureMails);
    if (found.length === 0) return;
    const sumOf = (figure: 'dueDeliveries' | 'outboxRows') => found.reduce((sum, [, row]) => sum + row[figure], 0);
    const mostOf = (figure: AgeName) => Math.max(...found.map(([, row]) => row[figure] ?? 0));
    const counted = `counted up to ${MAX_COUNTED}`;
    const due = { name: 'delivery_due', help: `Deliveries that are due and not with a worker, ${counted}` };
    const dueAge = {
      name: 'delivery_oldest_due_age_seconds',
      help: 'How long the oldest due delivery has been due; 0 when none is',
    };
    const pending = { name: 'outbox_pending', help: `Events and incoming events to fan out, ${counted}` };
    const pendingAge = {
      name: 'outbox_oldest_due_age_seconds',
      help: 'How long the oldest due outbox row has been due, of events (also incoming ones) or of mails; 0 when none is',
    };
    setGauge(due, sumOf('dueDeliveries'));
    setGauge(dueAge, mostOf('deliverySeconds'));
    setGauge(pending, sumOf('outboxRows'));
    setGauge({ ...pendingAge, label: 'kind' }, [
      ['event', mostOf('eventSeconds')],
      ['mail', mails?.dueSeconds ?? 0],
    ]);
    setGauge(
      {
        name: 'mail_oldest_unsent_age_seconds',
        help: 'How long ago the oldest mail that is not sent yet was written, with those that failed; 0 without one',
      },
      mails?.unsentSeconds ?? 0,
    );
    const showByCell = ({ name, help }: typeof due, figure: keyof QueueRow) =>
      setLabelledGauge(
        { name: `cell_${name}`, help: `${help}; by cell, where there are several`, labelNames: ['cell'] },
        knownCells().length === 1 ? [] : found.map(([labels, row]) => [labels, row[figure] ?? 0] as const),
      );
    showByCell(due, 'dueDeliveries');
    showByCell(dueAge, 'deliverySeconds');
    showByCell(pending, 'outboxRows');
    showByCell(
      { ...pendingAge, help: 'How long the oldest due event in the outbox has been due; 0 when none is' },
      'eventSeconds',
    );
  },
};
