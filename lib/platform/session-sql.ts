import type { Sql } from './db';
import { bigint, boolean, nullable, text } from './sql/column';
import { statement } from './sql/statement';

/** Reads the statement timeout of a session, in milliseconds or with a unit; `0` for none. */
export const readStatementTimeout = statement("SELECT current_setting('statement_timeout') AS timeout", {
  columns: { timeout: text },
});

/** Takes the lock until the end of the transaction, unless another one has it. */
export const tryTransactionLock = statement('SELECT pg_try_advisory_xact_lock($key::bigint) AS taken', {
  params: { key: bigint },
  columns: { taken: boolean },
});

/**
 * Returns whether some session of the database has the lock, and whether the server is a replica. pg_locks has the halves of the
 * number in two columns.
 */
export const findLock = statement(
  `SELECT pg_is_in_recovery() AS is_replica, EXISTS (
     SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND classid = (($key::bigint >> 32) & 4294967295)::oid AND objid = ($key::bigint & 4294967295)::oid) AS is_found`,
  { params: { key: bigint }, columns: { is_replica: boolean, is_found: boolean } },
);

/** Makes a transaction refuse changes. */
export const refuseChanges = statement('SET TRANSACTION READ ONLY');

/** PostgreSQL checks for deadlocks after a wait of one second. A transaction that gives up sooner is never in one. */
const LOCK_TIMEOUT_MS = 250;

/** Limits how long each statement of the transaction waits for a lock. */
export const limitLockWaits = statement(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);

/** Returns the bytes of the database with its indexes. */
export const databaseSize = statement('SELECT pg_database_size(current_database()) AS bytes', {
  columns: { bytes: nullable(bigint) },
});

/** Returns one row without columns: the connection works. */
export const ping = statement('SELECT');

/** Lets a connection receive the notifications of a channel. */
export async function listenTo(sql: Sql, channel: string): Promise<void> {
  await sql.query(`LISTEN ${channel}`);
}

/** Ends that. */
export async function stopListeningTo(sql: Sql, channel: string): Promise<void> {
  await sql.query(`UNLISTEN ${channel}`);
}
