import pg from 'pg';
import {
  ANSWER_GRACE_MS,
  CLOSING_MS,
  HANDSHAKE_MS,
  KEEP_ALIVE_DELAY_MS,
  type SessionLimits,
  STATEMENT_MS,
  sessionOptions,
} from '@/lib/platform/database-limits';

/** The database owed an answer and sent none: the connection is dead, whether or not anybody has closed it. */
export class DatabaseSilentError extends Error {
  override readonly name = 'DatabaseSilentError';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the database did not answer in time');
  }
}

type ClientConfig = pg.ClientConfig & SessionLimits;

/**
 * A connection that never waits forever: when an answer is overdue, it breaks, and every statement on it fails. pg's own
 * `query_timeout` fails the statement and keeps the connection, on which all later statements would queue.
 *
 * Emits 'silent' just before it destroys itself.
 */
export class DatabaseClient extends pg.Client {
  /** Milliseconds that the server gives a statement. Whoever changes it there (SET statement_timeout) says so here. */
  statementMs: number;
  private deadline: NodeJS.Timeout | null = null;
  private answers = 0;

  constructor(config: ClientConfig = {}) {
    const { statementMs = STATEMENT_MS, idleInTransactionMs, keepsPlans = false, ...rest } = config;
    super({
      options: sessionOptions({
        statementMs,
        keepsPlans,
        ...(idleInTransactionMs === undefined ? {} : { idleInTransactionMs }),
      }),
      ...rest,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      connectionTimeoutMillis: HANDSHAKE_MS,
    });
    this.statementMs = statementMs;
    const send = this.query;
    this.query = ((...args: Parameters<typeof send>) => {
      this.deadline ??= this.startDeadline(this.statementMs + ANSWER_GRACE_MS);
      return send.apply(this, args);
    }) as typeof send;
    // An answer: the next statement of the queue, if there is one, gets the whole time again.
    this.connection.on('readyForQuery', () => {
      this.answers += 1;
      this.deadline?.refresh();
    });
    this.on('drain', () => this.clearDeadline());
    this.on('end', () => this.clearDeadline());
  }

  /** Whether a statement waits for its answer. */
  get isWaiting(): boolean {
    return this.deadline !== null;
  }

  /** Leaves a statement that waits for its answer at most `ms` from now. */
  hurry(ms: number): void {
    if (this.deadline === null) return;
    this.clearDeadline();
    this.deadline = this.startDeadline(ms);
  }

  /** Breaks the connection at once. What waits on it fails. */
  abandon(): void {
    this.connection.stream.destroy(new DatabaseSilentError());
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    // A dead connection would never close: it waits for the other side.
    setTimeout(() => this.connection.stream.destroy(), CLOSING_MS).unref();
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  private startDeadline(ms: number): NodeJS.Timeout {
    // After the next poll for input: a process that was busy, or asleep, may find the answer there.
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
