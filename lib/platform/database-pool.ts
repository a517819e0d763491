import pg from 'pg';
import { config } from '@/lib/platform/config/config';
import { DatabaseClient, DatabaseSilentError } from '@/lib/platform/database-client';
import { type SessionLimits, SUSPECT_MS } from '@/lib/platform/database-limits';
import { directDatabaseUrl, isDatabasePooled } from '@/lib/platform/database-urls';
import { log } from '@/lib/platform/log';

/** The size of each pool. A process has two, so several processes fit into PostgreSQL's default of 100 connections. */
const POOL_SIZE = 10;
/** Maintenance runs few statements at a time: each of the three partitioned tables holds a lock and runs one. */
const DIRECT_POOL_SIZE = 6;

/** Creates a pool for DATABASE_URL. */
export function makePool(limits: SessionLimits = {}): pg.Pool {
  const isPooled = isDatabasePooled();
  return makePoolOf({ ...limits, ...{ isPooled, connectionString: config().DATABASE_URL, max: POOL_SIZE } });
}

/** Creates a pool past the pooler, for work that needs a session. */
export function makeDirectPool(): pg.Pool {
  return makePoolOf({ connectionString: directDatabaseUrl(), max: DIRECT_POOL_SIZE });
}

/** Creates a pool that replaces its connections together: if one is dead, the others usually are too. */
function makePoolOf(options: SessionLimits & pg.PoolConfig & { isPooled?: boolean }): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    Client: DatabaseClient as unknown as NonNullable<pg.PoolConfig['Client']>,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: 'event-delivery-service',
  });
  // A broken idle connection is replaced on the next use. Without a listener its error would end the process.
  pool.on('error', (error) => {
    if (error.name !== DatabaseSilentError.name) log().warn({ err: error }, 'idle database connection lost');
  });
  // The same holds for a connection that breaks between two statements of a transaction: the next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  replaceTogether(pool);
  return pool;
}

/**
 * When one connection is dead, destroys the idle ones and shortens the deadlines of the waiting ones. Otherwise ten dead
 * connections would cost ten full timeouts in a row.
 */
function replaceTogether(pool: pg.Pool): void {
  const all = new Set<DatabaseClient>();
  const inUse = new Set<DatabaseClient>();
  const asClient = (client: pg.PoolClient) => client as unknown as DatabaseClient;
  const suspectOthers = (silent: DatabaseClient) => {
    const others = [...all].filter((client) => client !== silent);
    const [waiting, idle] = [
      others.filter(({ isWaiting }) => isWaiting),
      others.filter((client) => !inUse.has(client)),
    ];
    log().warn({ idle: idle.length, waiting: waiting.length }, 'database connection timed out; replacing it');
    for (const client of [silent, ...idle]) all.delete(client);
    for (const client of idle) client.abandon();
    for (const client of waiting) client.hurry(SUSPECT_MS);
  };
  pool.on('connect', (added) => {
    const client = asClient(added);
    all.add(client);
    (added as NodeJS.EventEmitter).once('silent', () => suspectOthers(client));
  });
  pool.on('acquire', (client) => inUse.add(asClient(client)));
  pool.on('release', (_error, client) => inUse.delete(asClient(client)));
  pool.on('remove', (client) => all.delete(asClient(client)));
}
