import { HOUR_MS } from '@/lib/platform/clock';
import { DatabaseClient } from '@/lib/platform/database-client';

/** For the rows of one table. */
const STATEMENT_MS = 24 * HOUR_MS;

/** Opens a connection without the limits of the product: one statement copies a table, and a slow disk may let it pause. */
export async function connectForBackup(connectionString: string): Promise<DatabaseClient> {
  const client = new DatabaseClient({
    connectionString,
    application_name: 'event-delivery-service backup',
    statementMs: STATEMENT_MS,
    idleInTransactionMs: 0,
  });
  // The current or the next statement reports a broken connection.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
