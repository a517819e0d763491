import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import manifest from '@/package.json' with { type: 'json' };
import { deleteWorker, writeHeartbeat } from './workers-sql';

/** The state of a worker. */
export interface WorkerStatus {
  /** Attempts in flight. */
  underWay: number;
  /** Leased deliveries that wait for a slot. */
  waiting: number;
  /** Milliseconds since its last successful poll; null before the first one. */
  lastPassMs?: number | null;
}

interface Heartbeat {
  readonly id: string;
  /** Deletes the row. Resolves within STOP_MS, even if the database does not answer. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 5 * SECOND_MS;
const STOP_MS = SECOND_MS;

/** Updates the row of this process in `workers` until it is stopped. Resolves after the first write. */
export async function startHeartbeat(status: () => WorkerStatus, intervalMs = INTERVAL_MS): Promise<Heartbeat> {
  const id = newId();
  let isFailing = false;
  let writing: Promise<void> | null = null;
  const write = async () => {
    const { underWay, waiting, lastPassMs = null } = status();
    try {
      await writeHeartbeat.run(database(), {
        worker: id,
        hostname: os.hostname(),
        pid: process.pid,
        version: manifest.version,
        underWay,
        waiting,
        lastPassMs,
      });
      if (isFailing) log().info('heartbeat recorded again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log().warn({ err: error }, 'heartbeat could not be recorded; trying again');
      isFailing = true;
    }
  };
  const beat = () => {
    writing ??= write().finally(() => {
      writing = null;
    });
    return writing;
  };
  await beat();
  const timer = setInterval(beat, intervalMs);
  const remove = async () => {
    // A write in flight would insert the row again.
    await writing;
    await deleteWorker.run(database(), { worker: id });
  };
  return {
    id,
    stop: async () => {
      clearInterval(timer);
      const removed = remove().catch((error: unknown) =>
        log().warn({ err: error }, 'worker row could not be deleted; another worker deletes it after a day'),
      );
      await Promise.race([removed, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}
