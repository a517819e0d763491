import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@/lib/platform/clock';
import { withoutShare } from '@/lib/platform/connection-shares';
import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';
import { declareCounter } from '@/lib/platform/metrics';

/** Prometheus aborts a scrape after ten seconds by default. Figures that take longer appear in a later scrape. */
const MAX_WAIT_MS = 3_000;
const RETRY_MS = MINUTE_MS;

const failures = declareCounter({
  name: 'metrics_collection_failures_total',
  help: 'Times that this process failed to read figures for /metrics from the database and showed the last ones',
  labelNames: ['collector'],
});

/** Figures that are read from the database for a scrape. */
export interface Collector {
  /** The label of its failure counter. */
  name: string;
  /** The minimum of milliseconds between two collections. By default every scrape collects. */
  intervalMs?: () => number;
  /** Sets all figures in the registry at once. Until then, and after a failure, the registry keeps the last ones. */
  collect(): Promise<void>;
}

interface State {
  running?: Promise<void>;
  /** By performance.now(). */
  dueAtMs: number;
}

/**
 * Runs the due collectors and waits for them briefly: neither a failure nor a slow database may fail or delay a scrape. Each
 * collector runs once at a time, whatever the number of scrapes. Failures are logged, counted, and retried within a minute, except
 * statements that took too long: those wait for the interval.
 */
export async function runCollectors(collectors: readonly Collector[], maxWaitMs = MAX_WAIT_MS): Promise<void> {
  const enough = new AbortController();
  const wait = sleep(maxWaitMs, undefined, { signal: enough.signal, ref: false }).catch(() => undefined);
  await Promise.race([Promise.all(collectors.map(start)), wait]);
  enough.abort();
}

async function start(collector: Collector): Promise<void> {
  failures().inc({ collector: collector.name }, 0);
  const state = once<State>(`metrics-collector-${collector.name}`, () => ({ dueAtMs: Number.NEGATIVE_INFINITY }));
  if (state.running === undefined && performance.now() >= state.dueAtMs) {
    state.running = collect(collector, state).finally(() => {
      state.running = undefined;
    });
  }
  await state.running;
}

async function collect(collector: Collector, state: State): Promise<void> {
  const startedAtMs = performance.now();
  const intervalMs = collector.intervalMs?.() ?? 0;
  try {
    await withoutShare(() => collector.collect());
    state.dueAtMs = startedAtMs + intervalMs;
  } catch (error) {
    state.dueAtMs = performance.now() + (tookTooLong(error) ? intervalMs : Math.min(intervalMs, RETRY_MS));
    failures().inc({ collector: collector.name });
    log().warn({ err: error, collector: collector.name }, 'could not read figures for /metrics; showing the last ones');
  }
}

/** Whether the server ended a statement at its limit, also in one of several cells. */
function tookTooLong(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return [error, cause].some((each) => sqlState(each) === SQL_STATE.queryCanceled);
}
