import type pg from 'pg';
import { MINUTE_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { DatabaseClient } from '@/lib/platform/database-client';
import type { Sql } from '@/lib/platform/db';

/** One state of the database, read for as long as it takes. */
export interface Snapshot extends Sql {
  /** Ends it at once, also in the middle of a statement. */
  close(): Promise<void>;
}

/** No page of an export takes so long. */
const STATEMENT_TIMEOUT_MS = MINUTE_MS;
/** Longer than a stalled client is waited for: it ends the snapshot of a process that hangs, since a snapshot pins vacuum. */
const IDLE_TIMEOUT_MS = 2 * MINUTE_MS;

/** Opens a snapshot on a connection of its own: a slow client must not keep one of the pool's from everybody else. */
export async function openSnapshot(): Promise<Snapshot> {
  const client = new DatabaseClient({
    connectionString: config().DATABASE_URL,
    application_name: 'event-delivery-service export',
    statementMs: STATEMENT_TIMEOUT_MS,
    idleInTransactionMs: IDLE_TIMEOUT_MS,
  });
  // The statement under way, or the next one, tells of a connection that breaks.
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
 * Queries by callback. Of the promises that pg makes by itself each keeps the results before it from the collection of
 * young objects: all that was exported stayed in memory until the next full collection (30 MB measured).
 */
function queryOf(client: pg.Client): Snapshot['query'] {
  const query = (text: string, values: unknown[]) =>
    new Promise<pg.QueryResult>((resolve, reject) => {
      client.query(text, values, (error, result) => (error ? reject(error) : resolve(result)));
    });
  return query as Snapshot['query'];
}
