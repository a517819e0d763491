import type { Sql } from '@/lib/platform/db';
import { setGauge } from '@/lib/platform/metrics';
import type { Collector } from '@/lib/platform/metrics-collectors';
import { readFigures } from '@/lib/platform/read-figures';
import type { RowOf } from '@/lib/platform/sql/statement';
import { ALIVE_SECONDS, measureLiveness, selectWorkers, type WorkerLiveness } from './workers-sql';

export type { WorkerLiveness };

/** Counts the live workers and reads when any worker was last seen. */
export async function readWorkerLiveness(sql: Sql): Promise<WorkerLiveness> {
  return (await measureLiveness.first(sql)) ?? { alive: 0, lastSeenSeconds: null };
}

/** Metrics of the workers. Web processes expose them, since workers listen on no port. */
export const WORKER_LIVENESS: Collector = {
  name: 'workers',
  collect: async () => {
    const [found] = await readFigures(measureLiveness);
    const aliveHelp = `Workers that were seen within ${ALIVE_SECONDS} seconds`;
    setGauge({ name: 'workers_alive', help: aliveHelp }, found?.alive ?? 0);
    const help = 'When any worker was last seen, except those that stopped cleanly';
    setGauge({ name: 'worker_last_seen_timestamp_seconds', help }, found?.lastSeenSeconds ?? null);
  },
};

/** Lists up to 100 workers of the last day: the live ones first, then those seen last. */
export async function listWorkers(sql: Sql): Promise<RowOf<typeof selectWorkers.columns>[]> {
  return selectWorkers.all(sql);
}
