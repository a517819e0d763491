import type { Sql } from '@/lib/platform/db';
import { setGauge } from '@/lib/platform/metrics';
import type { Collector } from '@/lib/platform/metrics-collectors';
import { readFigures } from '@/lib/platform/read-figures';

/** Six heartbeats. A worker that missed them has died, hangs, or cannot reach the database. */
export const ALIVE_SECONDS = 30;

export interface WorkerLiveness {
  alive: number;
  /** When the worker seen last was seen, in seconds since 1970; null: none that died has been there for a day. */
  lastSeenSeconds: number | null;
}

const SQL = `
  SELECT count(*) FILTER (WHERE last_seen_at > now() - interval '${ALIVE_SECONDS} s')::int AS alive,
         extract(epoch FROM max(last_seen_at))::float8 AS "lastSeenSeconds"
  FROM workers`;

/** How many workers are alive, and when the last one was seen. The table has a row for each process of the last day. */
export async function readWorkerLiveness(sql: Sql): Promise<WorkerLiveness> {
  const { rows } = await sql.query<WorkerLiveness>({ name: 'worker-liveness', text: SQL });
  return rows[0] ?? { alive: 0, lastSeenSeconds: null };
}

/** What /metrics of every web process tells of the workers, which listen on no port. */
export const WORKER_LIVENESS: Collector = {
  name: 'workers',
  collect: async () => {
    const [found] = await readFigures<WorkerLiveness>(SQL);
    const aliveHelp = `Workers that the database has heard from within ${ALIVE_SECONDS} seconds`;
    setGauge({ name: 'workers_alive', help: aliveHelp }, found?.alive ?? 0);
    const lastSeen = found?.lastSeenSeconds ?? null;
    if (lastSeen === null) return;
    const help = 'When a worker was last seen, of all that did not stop by themselves';
    setGauge({ name: 'worker_last_seen_timestamp_seconds', help }, lastSeen);
  },
};
