import type pg from 'pg';
import { MINUTE_MS } from '@/lib/platform/clock';
import { DatabaseClient, directDatabaseUrl } from '@/lib/platform/database-client';
import type { Sql } from '@/lib/platform/db';

/** One consistent state of the database. */
export interface Snapshot extends Sql {
  /** Closes the connection at once, even during a statement. */
  close(): Promise<void>;
}

/** Far more than a page of an export needs. */
const STATEMENT_TIMEOUT_MS = MINUTE_MS;
/**
 * Longer than the limit for stalled clients. Ends the snapshot of a process that hangs, because a snapshot blocks
 * vacuum.
 */
const IDLE_TIMEOUT_MS = 2 * MINUTE_MS;

/** Opens a snapshot on a dedicated connection: a slow client must not occupy a connection of the pool. */
export async function openSnapshot(): Promise<Snapshot> {
  const client = new DatabaseClient({
    connectionString: directDatabaseUrl(),
    application_name: 'event-delivery-service export',
    statementMs: STATEMENT_TIMEOUT_MS,
    idleInTransactionMs: IDLE_TIMEOUT_MS,
  });
  // The current or the next statement reports a broken connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return { query: queryOf(client), close: () => client.end() };
}

/**
 * Queries by callback. Each promise that pg creates keeps the results before it reachable for the collector of young
 * objects: the entire export stayed in memory until the next full collection (30 MB measured).
 */
function queryOf(client: pg.Client): Snapshot['query'] {
  const query = (text: string, values: unknown[]) =>
    new Promise<pg.QueryResult>((resolve, reject) => {
      client.query(text, values, (error, result) => (error ? reject(error) : resolve(result)));
    });
  return query as Snapshot['query'];
}
