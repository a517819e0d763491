import { setTimeout as sleep } from 'node:timers/promises';
import { readWorkerLiveness, type WorkerLiveness } from '@/lib/delivery/workers/worker-liveness';
import { oldestIngestWaitMs } from '@/lib/events/ingest-batcher';
import { SECOND_MS } from '@/lib/platform/clock';
import { withoutShare } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';
import { isStopping } from '@/lib/platform/process';
import { storageRoom } from '@/lib/platform/storage-room';

/** Orchestrators commonly give a probe a few seconds; the query itself takes a millisecond. */
const DATABASE_MS = 2 * SECOND_MS;
/** A batch is stored within milliseconds. */
const INGEST_MS = 5 * SECOND_MS;
/** How long a result of the database is reused for further probes. */
const FRESH_MS = SECOND_MS;

export interface Readiness {
  status: 'ok' | 'degraded';
  parts: { database: 'ok'; ingest: 'ok'; worker: 'ok' | 'missing' | 'stale'; storage: 'ok' | 'nearly_full' };
}

/** Without a query: a load balancer must see this in time even when the database is slow. */
const STOPPING = { web: 'stopping' };

interface Probe {
  /** Shared by concurrent probes: each would take a connection, and connections may be what is missing. */
  running: Promise<WorkerLiveness> | null;
  last: { workers: WorkerLiveness; atMs: number } | null;
}

/**
 * Checks that this process can serve, and names other parts that need attention. A web process is ready without workers:
 * what it stores is delivered once a worker runs.
 *
 * @throws AppError unavailable, with the parts that fail, when the process is stopping, the database does not answer within 2 s,
 *   or an event has waited for more than 5 s to be stored
 */
export async function checkReadiness(): Promise<Readiness> {
  if (isStopping()) {
    throw new AppError('unavailable', 'This process is stopping.', {
      retryAfterSeconds: 1,
      extra: { parts: STOPPING },
    });
  }
  const isIngestStalled = oldestIngestWaitMs() > INGEST_MS;
  const workers = await askInTime();
  if (workers === null || isIngestStalled) throw unready(workers === null, isIngestStalled);
  const worker = workers.alive > 0 ? 'ok' : workers.lastSeenSeconds === null ? 'missing' : 'stale';
  const storage = storageRoom().isNearlyFull ? 'nearly_full' : 'ok';
  const status = worker === 'ok' && storage === 'ok' ? 'ok' : 'degraded';
  return { status, parts: { database: 'ok', ingest: 'ok', worker, storage } };
}

function unready(isDatabaseSilent: boolean, isIngestStalled: boolean): AppError {
  const faults = [
    ...(isDatabaseSilent ? ['The database isn’t responding.'] : []),
    ...(isIngestStalled ? ['Events aren’t being stored.'] : []),
  ];
  const parts = { database: isDatabaseSilent ? 'failing' : 'ok', ingest: isIngestStalled ? 'stalled' : 'ok' };
  return new AppError('unavailable', faults.join(' '), { retryAfterSeconds: 1, extra: { parts } });
}

/** Returns null when the database fails or takes too long. */
async function askInTime(): Promise<WorkerLiveness | null> {
  const probe = once<Probe>('readiness-probe', () => ({ running: null, last: null }));
  if (probe.last !== null && performance.now() - probe.last.atMs < FRESH_MS) return probe.last.workers;
  probe.running ??= ask(probe).finally(() => {
    probe.running = null;
  });
  const enough = new AbortController();
  const late = sleep(DATABASE_MS, null, { signal: enough.signal, ref: false }).catch(() => null);
  const liveness = probe.running.catch((error: unknown) => {
    log().warn({ err: error }, 'not ready: the database is not responding');
    return null;
  });
  return Promise.race([liveness, late]).finally(() => enough.abort());
}

async function ask(probe: Probe): Promise<WorkerLiveness> {
  const workers = await withoutShare(() => readWorkerLiveness(database()));
  probe.last = { workers, atMs: performance.now() };
  return workers;
}
