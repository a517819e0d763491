import pg from 'pg';
import { config } from './config/config';
import { withLibpqMeaning } from './config/database-url';
import {
  CLOSING_MS,
  HANDSHAKE_MS,
  KEEP_ALIVE_DELAY_MS,
  RESPONSE_GRACE_MS,
  type SessionLimits,
  STATEMENT_MS,
  sessionOptions,
} from './database-limits';

/** The database did not answer in time: the connection is considered dead, even if it is still open. */
export class DatabaseSilentError extends Error {
  override readonly name = 'DatabaseSilentError';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the database did not answer in time');
  }
}

interface ClientConfig extends pg.ClientConfig, SessionLimits {
  /** Whether a pooler may run each transaction in another session. */
  isPooled?: boolean;
}

/**
 * Bytes of rows that a connection reads in one turn of the event loop, about. Node would read up to 2 MiB, and to decode as much text takes
 * the thread for 20 ms unless it is ASCII.
 */
const BYTES_OF_TURN = 256 * 1024;

/** Sent at the start of a pooled connection: PgBouncer refuses all but these few, which it sets in each session that it lends. */
const POOLED_PARAMETERS = { TimeZone: 'UTC', DateStyle: 'ISO' };

/**
 * A connection that never waits forever: when a result is overdue, it is destroyed and all its statements fail. pg's own
 * `query_timeout` fails the statement but keeps the connection, where all later statements would queue.
 *
 * Emits 'silent' just before it destroys itself.
 */
export class DatabaseClient extends pg.Client {
  /** The server's statement timeout in milliseconds. Update it after every SET statement_timeout. */
  statementMs: number;
  private deadline: NodeJS.Timeout | null = null;
  private answers = 0;
  private hasEnded = false;

  constructor(config: ClientConfig = {}) {
    const { isPooled = false, ...own } = config;
    const { connectionString, statementMs = STATEMENT_MS } = own;
    super({
      ...(isPooled ? {} : { options: sessionOptions(own) }),
      ...own,
      ...(connectionString === undefined ? {} : { connectionString: withLibpqMeaning(connectionString) }),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      connectionTimeoutMillis: HANDSHAKE_MS,
    });
    this.statementMs = statementMs;
    if (isPooled) startPooled(this);
    this.readInTurns();
    const send = this.query;
    this.query = ((query: Parameters<typeof send>[0], ...args: unknown[]) => {
      // After the end, pg refuses a statement at once, and nothing would clear its deadline: the process would not exit.
      if (!this.hasEnded) this.deadline ??= this.startDeadline(this.statementMs + RESPONSE_GRACE_MS);
      return Reflect.apply(send, this, [isPooled ? withoutName(query) : query, ...args]);
    }) as typeof send;
    // A statement has finished: the next one in the queue gets the full time.
    this.connection.on('readyForQuery', () => {
      this.answers += 1;
      this.deadline?.refresh();
    });
    this.on('drain', () => this.clearDeadline());
    this.on('end', () => {
      this.hasEnded = true;
      this.clearDeadline();
    });
  }

  /** Whether a statement waits for its result. */
  get isWaiting(): boolean {
    return this.deadline !== null;
  }

  /** Shortens the deadline of a waiting statement to `ms` from now. */
  hurry(ms: number): void {
    if (this.deadline === null) return;
    this.clearDeadline();
    this.deadline = this.startDeadline(ms);
  }

  /** Destroys the connection at once. Its pending statements fail. */
  abandon(): void {
    this.connection.stream.destroy(new DatabaseSilentError());
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    // A dead connection would never close, because it waits for the other side.
    setTimeout(() => this.connection.stream.destroy(), CLOSING_MS).unref();
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  /** Stops reading until the next turn of the event loop, each time it has read much. A COPY reads in its own way. */
  private readInTurns(): void {
    let bytes = 0;
    this.connection.on('dataRow', ({ length }: { length: number }) => {
      bytes += length;
      if (bytes < BYTES_OF_TURN) return;
      bytes = 0;
      const { stream } = this.connection;
      stream.pause();
      setImmediate(() => stream.resume());
    });
  }

  private startDeadline(ms: number): NodeJS.Timeout {
    // Checks after the next poll for input: a process that was busy or suspended may have a result waiting there.
    return setTimeout(() => {
      const { answers } = this;
      setImmediate(() => {
        if (this.deadline !== null && this.answers === answers) this.giveUp();
      });
    }, ms);
  }

  private clearDeadline(): void {
    if (this.deadline !== null) clearTimeout(this.deadline);
    this.deadline = null;
  }

  private giveUp(): void {
    this.clearDeadline();
    this.emit('silent');
    this.abandon();
  }
}

/** Adds the parameters of a pooled connection to what the client sends at its start. */
function startPooled(client: pg.Client): void {
  // Missing in the types: https://node-postgres.com has no other way to send a parameter.
  const starting = client as unknown as { getStartupConf(): Record<string, string> };
  const parameters = starting.getStartupConf.bind(client);
  starting.getStartupConf = () => ({ ...parameters(), ...POOLED_PARAMETERS });
}

/** A prepared statement belongs to the session that parsed it, and the next transaction may run in another one. */
function withoutName<Query>(query: Query): Query {
  if (typeof query !== 'object' || query === null || !('name' in query)) return query;
  // A submittable, such as a stream, has methods that a copy would lose.
  return 'submit' in query ? query : { ...query, name: undefined };
}

/**
 * Returns the URL for what needs a session of its own: LISTEN, locks that outlive a transaction, migrations, snapshots. It is
 * DATABASE_DIRECT_URL, or DATABASE_URL where that is unset. See docs/decisions/050-what-needs-a-session.md.
 */
export function directDatabaseUrl(): string | undefined {
  return config().DATABASE_DIRECT_URL ?? config().DATABASE_URL;
}

/** Whether DATABASE_URL is a pooler, in which each transaction may run in another session. */
export function isDatabasePooled(): boolean {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = config();
  return DATABASE_DIRECT_URL !== undefined && DATABASE_DIRECT_URL !== DATABASE_URL;
}

/** Returns the variable that `directDatabaseUrl` reads, for errors. */
export function directDatabaseVariable(): 'DATABASE_DIRECT_URL' | 'DATABASE_URL' {
  return isDatabasePooled() ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
}
