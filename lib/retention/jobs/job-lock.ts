import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/platform/clock';
import { DatabaseClient, directDatabaseUrl } from '@/lib/platform/database-client';
import { checkConnection, releaseLocks, tryLock } from './jobs-sql';

/** Also keeps firewalls from dropping an idle connection. */
const HEARTBEAT_MS = 5 * SECOND_MS;
const POLL_MS = 150;

/** The right to do something in this process and no other. */
export interface JobLock {
  /** Aborted when the connection broke: PostgreSQL then gives the lock to the next that asks. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * Takes a lock of the database. Uses its own connection: a pooled one may be replaced or passed to others, with its lock.
 * @param waitMs how long it waits for another process
 * @returns null when another process holds the lock
 */
export async function tryJobLock(name: string, waitMs = 0): Promise<JobLock | null> {
  const client = new DatabaseClient({
    connectionString: directDatabaseUrl(),
    application_name: `event-delivery-service retention ${name}`,
  });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  const giveUpAt = performance.now() + waitMs;
  try {
    await client.connect();
    while (!(await tryLock.one(client, { name })).taken) {
      if (performance.now() >= giveUpAt) {
        await client.end();
        return null;
      }
      await sleep(POLL_MS * (0.5 + Math.random()));
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
