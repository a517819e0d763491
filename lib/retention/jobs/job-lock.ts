import { SECOND_MS } from '@/lib/platform/clock';
import { DatabaseClient } from '@/lib/platform/database-client';
import { directDatabaseUrl } from '@/lib/platform/database-urls';
import { checkConnection, releaseLocks, tryLock } from './job-lock-sql';

/** Also keeps firewalls from dropping an idle connection. */
const HEARTBEAT_MS = 5 * SECOND_MS;

/** The right to run a job in this process and no other. */
export interface JobLock {
  /** Aborted when the connection broke: PostgreSQL then gives the lock to the next that asks. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * Takes a lock of the database. Uses its own connection: a pooled one may be replaced or passed to others, with its lock.
 * @returns null when another process holds the lock
 */
export async function tryJobLock(name: string): Promise<JobLock | null> {
  const client = new DatabaseClient({
    connectionString: directDatabaseUrl(),
    application_name: `event-delivery-service retention ${name}`,
  });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  try {
    await client.connect();
    const { taken } = await tryLock.one(client, name);
    if (!taken) {
      await client.end();
      return null;
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  const heartbeat = setInterval(() => checkConnection.run(client).catch(() => lost.abort()), HEARTBEAT_MS).unref();
  return {
    lost: lost.signal,
    release: async () => {
      clearInterval(heartbeat);
      // Explicit: the server notices the end of the connection only after we have gone on.
      await releaseLocks.run(client).catch(() => undefined);
      await client.end().catch(() => undefined);
    },
  };
}
