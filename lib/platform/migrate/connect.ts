import { DatabaseClient } from '@/lib/platform/database-client';
import { findConnectionFault } from '@/lib/platform/database-connection-fault';
import { describeOtherDatabase, isSameDatabase } from '@/lib/platform/same-database';
import { begin, commit, readServerVersion } from './migrate-sql';
import { MigrationError } from './migration-error';

const OLDEST_SERVER = 150_000;

interface ConnectOptions {
  /** The variable with the URL, for errors. */
  variable: string;
  /** Whether it leads to a pooler. */
  isPooled?: boolean;
}

/** Opens a connection to a server that is new enough. @throws MigrationError */
export async function connect(
  databaseUrl: string,
  { variable, isPooled = false }: ConnectOptions,
): Promise<DatabaseClient> {
  const client = new DatabaseClient({ connectionString: databaseUrl, isPooled });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { server_version_num, server_version } = await readServerVersion.one(client);
    if (Number(server_version_num) >= OLDEST_SERVER) return client;
    throw new MigrationError(`${variable}: PostgreSQL ${server_version} is too old: 15 or newer is needed.`);
  } catch (error) {
    await client.end().catch(() => undefined);
    if (error instanceof MigrationError) throw error;
    // A pooler accepts the connection before it has one itself.
    const refused = `${variable}: ${client.host}:${client.port} refused the connection: ${reasonOf(error)}`;
    throw new MigrationError(findConnectionFault(variable, databaseUrl, error) ?? refused);
  }
}

/** A refused connection to a name with several addresses is an AggregateError without a message. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}

/**
 * Refuses to migrate another database than the one that the parts use through a pooler.
 * @throws MigrationError, also when the pooler does not answer
 */
export async function refuseOtherDatabase(direct: DatabaseClient, directUrl: string, pooledUrl: string): Promise<void> {
  const pooled = await connect(pooledUrl, { variable: 'DATABASE_URL', isPooled: true });
  try {
    await begin(direct);
    const isSame = await isSameDatabase(direct, pooled);
    await commit(direct);
    if (!isSame) throw new MigrationError(describeOtherDatabase(directUrl, pooledUrl));
  } finally {
    await pooled.end();
  }
}
