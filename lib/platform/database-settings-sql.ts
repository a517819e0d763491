import { boolean, text } from './sql/column';
import { statement } from './sql/statement';

/** Reads the statement timeout of a session, in milliseconds or with a unit; `0` for none. */
export const readStatementTimeout = statement("SELECT current_setting('statement_timeout') AS timeout", {
  timeout: text,
});

/** Takes the lock $1 until the end of the transaction, unless another one has it. */
export const tryTransactionLock = statement('SELECT pg_try_advisory_xact_lock($1::bigint) AS taken', {
  taken: boolean,
});

/**
 * Returns whether some session of the database has the lock $1, and whether the server is a replica. pg_locks has the halves of the
 * number in two columns.
 */
export const findLock = statement(
  `SELECT pg_is_in_recovery() AS is_replica, EXISTS (
     SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND classid = (($1::bigint >> 32) & 4294967295)::oid AND objid = ($1::bigint & 4294967295)::oid) AS is_found`,
  { is_replica: boolean, is_found: boolean },
);
