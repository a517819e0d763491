import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { SECOND_MS } from '@/lib/platform/clock';
import { database, madePools } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { deleteFigures, writeFigures } from '@/lib/platform/metrics-sql';

const INTERVAL_MS = 10 * SECOND_MS;
const STOP_MS = SECOND_MS / 2;
/** Each sample wakes the process. The default of 10 ms would be most of the work of an idle worker. */
const RESOLUTION_MS = 250;

interface PoolUse {
  pool: 'general' | 'hot' | 'reading';
  max: number;
  inUse: number;
  waiting: number;
}

/** Adds up the pools of a kind: one for each cell. */
function useOf(pool: PoolUse['pool'], pools: readonly Pool[]): PoolUse {
  const sum = (read: (each: Pool) => number) => pools.reduce((total, each) => total + read(each), 0);
  return {
    pool,
    max: sum(({ options }) => options.max ?? 0),
    inUse: sum(({ totalCount, idleCount }) => totalCount - idleCount),
    waiting: sum(({ waitingCount }) => waitingCount),
  };
}

/** Reads how the connections of this process are used. */
export function poolUse(): [general: PoolUse, hot: PoolUse, reading: PoolUse] {
  const { general, hot, reading } = madePools();
  return [useOf('general', general), useOf('hot', hot), useOf('reading', reading)];
}

/**
 * Writes the figures of a process that listens on no port to the database every ten seconds, where web processes read them for
 * /metrics. A failure is only logged: nothing else depends on them.
 *
 * @returns a function that stops it and deletes the row
 */
export function startProcessFigures(part: 'worker' | 'retention', intervalMs = INTERVAL_MS): () => Promise<void> {
  const id = newId();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let writing: Promise<unknown> = Promise.resolve();
  const write = async () => {
    const [general, hot] = poolUse();
    const delayMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    delay.reset();
    await writeFigures
      .run(database(), {
        id,
        part,
        poolMax: general.max,
        generalInUse: general.inUse,
        generalWaiting: general.waiting,
        hotInUse: hot.inUse,
        hotWaiting: hot.waiting,
        eventLoopDelayMs: delayMs,
      })
      .catch((error: unknown) => log().debug({ err: error }, 'figures for /metrics could not be written'));
  };
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, intervalMs);
  timer.unref();
  writing = write();
  return async () => {
    clearInterval(timer);
    delay.disable();
    const removed = writing.then(() => deleteFigures.run(database(), { id })).catch(() => undefined);
    await Promise.race([removed, sleep(STOP_MS, undefined, { ref: false })]);
  };
}
