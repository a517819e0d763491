import { setTimeout as sleep } from 'node:timers/promises';
import { watchCells } from '@/lib/platform/cells/watch-cells';
import { SECOND_MS } from '@/lib/platform/clock';
import { oneLineOf } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { requireMigrations } from '@/lib/platform/migrate/require-migrations';
import { onStop, reportReady } from '@/lib/platform/process';
import { startProcessFigures } from '@/lib/platform/process-figures';
import { prepareNewCells, preparePartitions, runSchedules } from '@/lib/retention/jobs/schedule';
import { closeConnections, describeDatabaseFault } from './database';

/**
 * How long the start may wait for partitions. A reader with locks on them, or a large default partition, can delay them for
 * minutes; `npm start` restarts a process that is not ready within one minute.
 */
const PATIENCE_MS = 10 * SECOND_MS;

/** Learns the cells, creates the partitions, reports that it is ready, and runs the schedules until the process is told to stop. */
export async function runUntilStopped(): Promise<void> {
  await requireMigrations();
  const stopping = new AbortController();
  const stopFigures = startProcessFigures('retention');
  let work: Promise<unknown> = Promise.resolve();
  let ofNewCells: Promise<unknown> = Promise.resolve();
  let stopWatching = () => {};
  onStop(async () => {
    stopWatching();
    stopping.abort();
    await Promise.all([work.catch(() => undefined), ofNewCells, stopFigures()]);
    await closeConnections();
  });
  // A job must not run before all cells are known.
  const watching = watchCells(() => {
    ofNewCells = prepareNewCells(stopping.signal);
  });
  stopWatching = await watching.catch((error: unknown) => end(describeDatabaseFault(error) ?? oneLineOf(error)));
  const preparing = preparePartitions(stopping.signal);
  work = preparing;
  try {
    await Promise.race([preparing, sleep(PATIENCE_MS, undefined, { ref: false })]);
  } catch (error) {
    const reason = describeDatabaseFault(error);
    if (reason !== null) end(reason);
  }
  const prepared = preparing.catch((error: unknown) =>
    log().error({ err: error }, 'partitions could not be created; retrying'),
  );
  work = Promise.all([prepared, runSchedules(stopping.signal)]);
  reportReady();
  log().info('retention is ready');
}

/** The supervisor sees the end and restarts the process. One that is ready and does nothing for minutes would look healthy. */
function end(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
