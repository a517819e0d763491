import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { requireMigrations } from '@/lib/platform/migrate/require-migrations';
import { onStop, reportReady } from '@/lib/platform/process';
import { startProcessFigures } from '@/lib/platform/process-figures';
import { preparePartitions, runSchedules } from '@/lib/retention/jobs/schedule';
import { closeConnections, describeDatabaseFault } from './database';

/**
 * How long the start may wait for partitions. A reader with locks on them, or a large default partition, can delay them for
 * minutes; `npm start` restarts a process that is not ready within one minute.
 */
const PATIENCE_MS = 10 * SECOND_MS;

/** Creates the partitions, reports that it is ready, and runs the schedules until the process is told to stop. */
export async function runUntilStopped(): Promise<void> {
  await requireMigrations();
  const stopping = new AbortController();
  const stopFigures = startProcessFigures('retention');
  const preparing = preparePartitions(stopping.signal);
  let work: Promise<unknown> = preparing;
  onStop(async () => {
    stopping.abort();
    await Promise.all([work.catch(() => undefined), stopFigures()]);
    await closeConnections();
  });
  try {
    await Promise.race([preparing, sleep(PATIENCE_MS, undefined, { ref: false })]);
  } catch (error) {
    // The supervisor sees the end and restarts the process. A process that is ready and does nothing for minutes would look
    // healthy.
    const reason = describeDatabaseFault(error);
    if (reason !== null) {
      process.stderr.write(`${reason}\n`);
      process.exit(1);
    }
  }
  const prepared = preparing.catch((error: unknown) =>
    log().error({ err: error }, 'partitions could not be created; retrying'),
  );
  work = Promise.all([prepared, runSchedules(stopping.signal)]);
  reportReady();
  log().info('retention is ready');
}
