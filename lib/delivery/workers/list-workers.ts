import type { Sql } from '@/lib/platform/db';
import { ALIVE_SECONDS } from './worker-liveness';

/** The last known state of a worker. All times are from the database's clock. */
interface SeenWorker {
  id: string;
  hostname: string;
  pid: number;
  version: string;
  startedAt: Date;
  lastSeenAt: Date;
  /** When its last successful poll was; null before the first one. */
  lastPassAt: Date | null;
  /** Seen within ALIVE_SECONDS. */
  alive: boolean;
  /** Attempts in flight. */
  underWay: number;
  /** Leased deliveries that wait for a slot. */
  waiting: number;
}

/** The row of a dead process remains for a day, so processes that crash in a loop leave many. */
const MOST_WORKERS = 100;

const SQL = `
  SELECT id, hostname, pid, version, started_at AS "startedAt", last_seen_at AS "lastSeenAt", last_pass_at AS "lastPassAt",
         last_seen_at > now() - interval '${ALIVE_SECONDS} s' AS alive, under_way AS "underWay", waiting
  FROM workers ORDER BY alive DESC, last_seen_at DESC, id LIMIT ${MOST_WORKERS}`;

/** Lists up to 100 workers of the last day: the live ones first, then those seen last. */
export async function listWorkers(sql: Sql): Promise<SeenWorker[]> {
  return (await sql.query<SeenWorker>(SQL)).rows;
}
