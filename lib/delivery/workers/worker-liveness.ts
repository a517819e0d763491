import type { Sql } from '@/lib/platform/db';
import { setGauge } from '@/lib/platform/metrics';
import type { Collector } from '@/lib/platform/metrics-collectors';
import { readFigures } from '@/lib/platform/read-figures';

/** Six heartbeats. A worker that misses them has died, hangs, or cannot reach the database. */
export const ALIVE_SECONDS = 30;

export interface WorkerLiveness {
  alive: number;
  /** When any worker was last seen, in seconds since 1970; null if the table is empty. */
  lastSeenSeconds: number | null;
}

const SQL = `
  SELECT count(*) FILTER (WHERE last_seen_at > now() - interval '${ALIVE_SECONDS} s')::int AS alive,
         extract(epoch FROM max(last_seen_at))::float8 AS "lastSeenSeconds"
  FROM workers`;

/** Counts the live workers and reads when any worker was last seen. */
export async function readWorkerLiveness(sql: Sql): Promise<WorkerLiveness> {
  const { rows } = await sql.query<WorkerLiveness>({ name: 'worker-liveness', text: SQL });
  return rows[0] ?? { alive: 0, lastSeenSeconds: null };
}

/** Metrics of the workers. Web processes expose them, since workers listen on no port. */
export const WORKER_LIVENESS: Collector = {
  name: 'workers',
  collect: async () => {
    const [found] = await readFigures<WorkerLiveness>(SQL);
    const aliveHelp = `Workers that were seen within ${ALIVE_SECONDS} seconds`;
    setGauge({ name: 'workers_alive', help: aliveHelp }, found?.alive ?? 0);
    const lastSeen = found?.lastSeenSeconds ?? null;
    if (lastSeen === null) return;
    const help = 'When any worker was last seen, except those that stopped cleanly';
    setGauge({ name: 'worker_last_seen_timestamp_seconds', help }, lastSeen);
  },
};
