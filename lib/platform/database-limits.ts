import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';

/*
 * A network can drop every packet of a connection without closing it. Neither side learns of that by itself, so each wait
 * on the database has a limit here: on the server first, which then releases its locks, and on our side a little later.
 */

/** The longest statement of a request or of delivery takes under a second; the server cancels what takes this long. */
export const STATEMENT_MS = 7 * SECOND_MS;
/** What the answer may take beyond its statement, for the way back and a busy process: then the connection is dead. */
export const ANSWER_GRACE_MS = 2 * SECOND_MS;
/** Once one connection was found dead, how long the others that owe an answer still get. */
export const SUSPECT_MS = SECOND_MS;
/** For TCP, TLS and authentication together, which take milliseconds. */
export const HANDSHAKE_MS = 5 * SECOND_MS;
/** How long a closed connection may wait for the server to close its side. */
export const CLOSING_MS = SECOND_MS;
/** For reading or rewriting whole tables: previews, VACUUM, moving the rows of a default partition. */
export const LONG_STATEMENT_MS = 10 * MINUTE_MS;
/** Building an index over a large table can take many minutes, and nobody retries a migration that was cancelled. */
export const MIGRATION_STATEMENT_MS = 2 * HOUR_MS;
/** None of our transactions pauses for a second; one that does keeps its row locks from everybody else. */
const IDLE_IN_TRANSACTION_MS = 10 * SECOND_MS;
/** Before the first keep-alive probe. Below the minutes after which firewalls and NAT forget an idle connection. */
export const KEEP_ALIVE_DELAY_MS = 10 * SECOND_MS;

/** How long the server waits for us before it ends a session and releases its row and advisory locks: about 25 s. */
const SERVER_KEEP_ALIVE = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  // Milliseconds that an answer may stay unacknowledged: keep-alive probes are not sent meanwhile.
  tcp_user_timeout: 25_000,
};

export interface SessionLimits {
  /** Milliseconds for each statement. */
  statementMs?: number;
  /** Milliseconds between two statements of a transaction. */
  idleInTransactionMs?: number;
  /** Whether a prepared statement keeps one plan for all parameters. */
  keepsPlans?: boolean;
}

/** The `options` of a connection: UTC, times as RFC 3339 writes them, and the limits that the server enforces. */
export function sessionOptions(limits: SessionLimits = {}): string {
  const { statementMs = STATEMENT_MS, idleInTransactionMs = IDLE_IN_TRANSACTION_MS, keepsPlans = false } = limits;
  const settings = {
    timezone: 'UTC',
    datestyle: 'ISO',
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    ...SERVER_KEEP_ALIVE,
    ...(keepsPlans ? { plan_cache_mode: 'force_generic_plan' } : {}),
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
