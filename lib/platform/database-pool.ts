import pg from 'pg';
import { searchPathOf } from '@/lib/platform/cells/current-cell';
import { measureEmptyStatement, READING_POOL_SIZE, takeConnectionPermit } from '@/lib/platform/connection-shares';
import {
  READING_STATEMENT_MS,
  SEARCH_PATH,
  type SessionLimits,
  STATEMENT_MS,
  SUSPECT_MS,
} from '@/lib/platform/database-limits';
import { log } from '@/lib/platform/log';
import { config } from './config/config';
import { DatabaseClient, DatabaseSilentError, directDatabaseUrl, isDatabasePooled } from './database-client';

/** The size of the general and of the hot pool: several processes fit into PostgreSQL's default of 100 connections. */
const POOL_SIZE = 10;
/** Maintenance runs few statements at a time: each of the three partitioned tables holds a lock and runs one. */
const DIRECT_POOL_SIZE = 6;

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void;

/** Creates a pool that nothing shares, for DATABASE_URL or for another machine of its cluster. */
export function makePool(limits: SessionLimits, nodeUrl?: string): pg.Pool {
  const place = nodeUrl === undefined ? pooled(limits.searchPath) : { connectionString: nodeUrl };
  return watch(new pg.Pool(optionsOf({ ...limits, ...place, max: POOL_SIZE })));
}

/** Creates a pool for DATABASE_URL that requests share. */
export function makeSharedPool(searchPath: string): SharedPool {
  return watch(new SharedPool(searchPath));
}

/** Creates a pool past the pooler, for work that needs a session. */
export function makeDirectPool(searchPath: string): pg.Pool {
  return watch(new pg.Pool(optionsOf({ connectionString: directDatabaseUrl(), searchPath, max: DIRECT_POOL_SIZE })));
}

function pooled(searchPath = SEARCH_PATH) {
  const isPooled = isDatabasePooled();
  // It would find the tables of the first cell. A start with several cells is refused; this one was added later.
  if (isPooled && searchPath !== SEARCH_PATH && searchPath !== searchPathOf(undefined)) {
    throw new Error(`DATABASE_URL is a pooler, through which ${searchPath} cannot be reached`);
  }
  return { isPooled, connectionString: config().DATABASE_URL };
}

/**
 * A pool whose connections tenants share: each statement and transaction of a request waits for the share that the request counts for
 * (docs/decisions/057-connections-are-shared-by-owner.md).
 */
export class SharedPool extends pg.Pool {
  /** Where readers get their connections. Through a pooler, the limit of their statements is that of its sessions. */
  readonly reading: pg.Pool;

  constructor(searchPath: string) {
    super(optionsOf({ ...pooled(searchPath), searchPath, max: POOL_SIZE }));
    const statementMs = isDatabasePooled() ? STATEMENT_MS : READING_STATEMENT_MS;
    this.reading = watch(
      new pg.Pool(optionsOf({ ...pooled(searchPath), searchPath, max: READING_POOL_SIZE, statementMs })),
    );
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const connecting = this.connectInShare();
    if (callback === undefined) return connecting;
    // `query` of pg connects with a callback.
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  private async connectInShare(): Promise<pg.PoolClient> {
    const permit = await takeConnectionPermit();
    if (permit === null) return super.connect();
    measureEmptyStatement(() => this.timeEmptyStatement()).catch(() => undefined);
    try {
      const client = await (permit.isReading ? this.reading.connect() : super.connect());
      const release = client.release;
      // The pool sets `release` again for each use of a connection.
      client.release = (error) => {
        release(error);
        permit.release();
      };
      return client;
    } catch (error) {
      permit.release();
      throw error;
    }
  }

  private async timeEmptyStatement(): Promise<number> {
    const client = await super.connect();
    const startedAt = performance.now();
    await client.query('').finally(() => client.release());
    return performance.now() - startedAt;
  }
}

function optionsOf(options: SessionLimits & pg.PoolConfig & { isPooled?: boolean }): pg.PoolConfig {
  return {
    ...options,
    Client: DatabaseClient as unknown as NonNullable<pg.PoolConfig['Client']>,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: 'event-delivery-service',
  };
}

/** Makes a pool replace its connections together: if one is dead, the others usually are too. */
function watch<P extends pg.Pool>(pool: P): P {
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
    const waiting = others.filter(({ isWaiting }) => isWaiting);
    const idle = others.filter((client) => !inUse.has(client));
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
