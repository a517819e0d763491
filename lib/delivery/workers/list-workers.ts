import type { Sql } from '@/lib/platform/db';
import { ALIVE_SECONDS } from './worker-liveness';

/** A worker as it last told of itself; times are the database's. */
interface SeenWorker {
  id: string;
  hostname: string;
  pid: number;
  version: string;
  startedAt: Date;
  lastSeenAt: Date;
  /** When it last looked for work without an error; null: not yet. */
  lastPassAt: Date | null;
  /** Seen within ALIVE_SECONDS. */
  alive: boolean;
  /** Attempts that had begun and not ended. */
  underWay: number;
  /** Deliveries that it held a lease of and had not sent. */
  waiting: number;
}

/** Where processes die again and again, each leaves a row for a day. */
const MOST_WORKERS = 100;

const SQL = `
  SELECT id, hostname, pid, version, started_at AS "startedAt", last_seen_at AS "lastSeenAt", last_pass_at AS "lastPassAt",
         last_seen_at > now() - interval '${ALIVE_SECONDS} s' AS alive, under_way AS "underWay", waiting
  FROM workers ORDER BY alive DESC, last_seen_at DESC, id LIMIT ${MOST_WORKERS}`;

/** The workers of the last day, up to a hundred: those that are alive first, then those seen last. */
export async function listWorkers(sql: Sql): Promise<SeenWorker[]> {
  return (await sql.query<SeenWorker>(SQL)).rows;
}
