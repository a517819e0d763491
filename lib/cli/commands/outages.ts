import type { Context } from '@/lib/cli/context';
import { columns, formatAge } from '@/lib/cli/output/column';
import type { Outage, OutageList } from '@/lib/stats/schema';

const COLUMNS = columns<Outage>(
  { header: 'FROM', value: ({ from }) => from, kind: 'time' },
  { header: 'TO', value: ({ to }) => to, kind: 'time' },
  {
    header: 'NOT ARRIVED',
    value: ({ undelivered, undeliveredIsAtLeast }) => `${undelivered}${undeliveredIsAtLeast ? ' or more' : ''}`,
  },
);

/** Shows the outages of an endpoint or a destination, and how to retry what the newest one with a rest kept back. */
export async function showOutages(
  { out }: Context,
  found: OutageList,
  /** The options that select its deliveries. */
  target: string,
): Promise<void> {
  if (out.isJson) return out.value(found, '');
  await out.list(found.data, COLUMNS, { limit: undefined, empty: 'No outages.' });
  const { count, countIsAtLeast, nextAttemptAt } = found.waiting;
  if (count > 0 && nextAttemptAt !== null) {
    const many = `${count}${countIsAtLeast ? ' or more' : ''}`;
    out.note(
      `Waiting for another attempt: ${many}. The next one is ${formatAge(new Date(nextAttemptAt), new Date())}.`,
    );
  }
  const open = found.data.find(({ undelivered }) => undelivered > 0);
  if (open === undefined && count === 0) return;
  const time = open === undefined ? '' : ` --from ${open.from}${open.to === null ? '' : ` --to ${open.to}`}`;
  out.hint(`Retry them: eds deliveries retry --all-failed ${target}${time}`);
}
