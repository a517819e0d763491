import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { onStop, reportReady } from '@/lib/platform/process';
import { preparePartitions, runSchedules } from '@/lib/retention/jobs/schedule';
import { closeConnections } from './close-connections';
import { describeDatabaseFault } from './database-fault';

/**
 * How long to be ready may wait for partitions. A reader that holds their locks, or a large default partition, can keep them
 * for minutes; `npm start` kills and restarts a process that is not ready within one.
 */
const PATIENCE_MS = 10 * SECOND_MS;

/** Makes the partitions, says that it is ready, and runs the schedules until the process is told to stop. */
export async function runUntilStopped(): Promise<void> {
  const stopping = new AbortController();
  const preparing = preparePartitions(stopping.signal);
  let work: Promise<unknown> = preparing;
  onStop(async () => {
    stopping.abort();
    await work.catch(() => undefined);
    await closeConnections();
  });
  try {
    await Promise.race([preparing, sleep(PATIENCE_MS, undefined, { ref: false })]);
  } catch (error) {
    // Whoever started it sees that it ends, and starts it again: a process that said it was ready, and did nothing for minutes,
    // would pass for one that works.
    const reason = describeDatabaseFault(error);
    if (reason !== null) {
      process.stderr.write(`${reason}\n`);
      process.exit(1);
    }
  }
  const prepared = preparing.catch((error: unknown) =>
    log().error({ err: error }, 'could not make partitions; going on and trying again'),
  );
  work = Promise.all([prepared, runSchedules(stopping.signal)]);
  reportReady();
  log().info('retention is ready');
}
