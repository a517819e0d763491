import { isDatabaseAway } from '@/lib/platform/db';
import { oneLineOf } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { onStop, reportReady } from '@/lib/platform/process';
import { preparePartitions, runSchedules } from '@/lib/retention/schedule';
import { closeConnections } from './close-connections';

/** Makes the partitions, says that it is ready, and runs the schedules until the process is told to stop. */
export async function runUntilStopped(): Promise<void> {
  const stopping = new AbortController();
  let work: Promise<void> = preparePartitions(stopping.signal);
  onStop(async () => {
    stopping.abort();
    await work.catch(() => undefined);
    await closeConnections();
  });
  try {
    await work;
  } catch (error) {
    if (isDatabaseAway(error)) {
      process.stderr.write(`The database cannot be reached: ${oneLineOf(error)}\n`);
      process.exit(1);
    }
    log().error({ err: error }, 'could not make partitions; going on and trying again');
  }
  work = runSchedules(stopping.signal);
  reportReady();
  log().info('retention is ready');
}
