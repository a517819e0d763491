import { currentSearchPath, FIRST_CELL, searchPathOf } from '@/lib/platform/cells/current-cell';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';

/*
 * A network can drop all packets of a connection without closing it, and neither side notices. So each wait for the
 * database has two limits: one on the server, which then releases its locks, and a slightly longer one in this process.
 * See docs/decisions/021-dead-connections.md.
 */

/** The server cancels statements after this time. Those of requests and of delivery take less than a second. */
export const STATEMENT_MS = 7 * SECOND_MS;
/** For what tenants read: lists, statistics, search, counts. Their filters decide how much a statement reads. */
export const READING_STATEMENT_MS = 2 * SECOND_MS;
/** Additional time for the result to arrive, and for a busy process to read it. After that the connection is dead. */
export const RESPONSE_GRACE_MS = 2 * SECOND_MS;
/** The time that other waiting connections have left when one was found dead. */
export const SUSPECT_MS = SECOND_MS;
/** For TCP, TLS and authentication together, which take milliseconds. */
export const HANDSHAKE_MS = 5 * SECOND_MS;
/** How long a closing connection waits for the server to close its side. */
export const CLOSING_MS = SECOND_MS;
/** For statements that read or rewrite entire tables: previews, VACUUM, moving the rows of a default partition. */
export const LONG_STATEMENT_MS = 10 * MINUTE_MS;
/** Building an index on a large table can take many minutes, and a canceled migration is not retried. */
export const MIGRATION_STATEMENT_MS = 2 * HOUR_MS;
/** A transaction never pauses for a second unless its process hangs, and then its row locks must be released. */
export const IDLE_IN_TRANSACTION_MS = 10 * SECOND_MS;
/** Before the first keep-alive probe. Firewalls and NAT forget an idle connection after minutes. */
export const KEEP_ALIVE_DELAY_MS = 10 * SECOND_MS;

/** The server ends the session of a silent client, and releases its row and advisory locks, after about 25 s. */
const SERVER_KEEP_ALIVE = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  // Milliseconds that sent data may stay unacknowledged: keep-alive probes are not sent meanwhile.
  tcp_user_timeout: 25_000,
};

/**
 * The search path of migrations (docs/decisions/078-cells.md). The one of a connection without the options of this service is that of
 * the database.
 */
export const SEARCH_PATH = searchPathOf(FIRST_CELL);

export interface SessionLimits {
  /** Milliseconds for each statement. */
  statementMs?: number;
  /** Milliseconds between two statements of a transaction. */
  idleInTransactionMs?: number;
  /**
   * How the prepared statements of ingest and delivery are planned; null for others. A plan that is kept for all parameters may be made
   * while a table is nearly empty, when reading all of it costs least, so no plan does that where an index helps.
   */
  plans?: 'force_generic_plan' | 'auto' | null;
  /** The schemas in which statements find their tables. */
  searchPath?: string;
}

/** Returns the `options` of a connection: UTC, ISO dates, and the limits that the server enforces. */
export function sessionOptions(limits: SessionLimits = {}): string {
  const { statementMs = STATEMENT_MS, idleInTransactionMs = IDLE_IN_TRANSACTION_MS } = limits;
  const { plans = null, searchPath = currentSearchPath() } = limits;
  const settings = {
    timezone: 'UTC',
    search_path: searchPath,
    datestyle: 'ISO',
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    ...SERVER_KEEP_ALIVE,
    // Where Citus places cells on other machines, the settings of a transaction reach these too. PostgreSQL alone ignores it.
    'citus.propagate_set_commands': 'local',
    // Citus plans many statements for the values of their parameters only.
    ...(plans === null ? {} : { plan_cache_mode: plans, enable_seqscan: 'off', jit: 'off' }),
    // On a machine of Citus, the catalog has what the tables are stored in.
    ...(plans === 'auto' ? { 'citus.override_table_visibility': 'off' } : {}),
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
