import { bigint, integer, jsonOf, nullable, text } from '@/lib/platform/sql/column';
import { type Statement, statement } from '@/lib/platform/sql/statement';
import type { CleanedTable } from '@/lib/retention/jobs/job-run';
import { EVENT, type EventTable, INCOMING_EVENT, isRemovableSql } from './event-sql';

/** The longest wait for a lock. Shorter than a second, after which PostgreSQL checks for deadlocks. */
const LOCK_TIMEOUT_MS = 500;

/** Limits how long each statement of the transaction waits for a lock. */
export const limitLockWaits = statement(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);

/** Rows of a table that expire by a condition on their own columns. */
export interface ExpiredRows {
  table: CleanedTable;
  /** Removes some of them. The last parameter is the limit. Skips rows that another transaction has locked. */
  remove: Statement;
  /** Counts all of them. */
  count: Statement<{ count: typeof bigint }>;
}

interface Expiry {
  table: CleanedTable;
  /** The column of its primary key; by default `id`. */
  key?: string;
  /** SQL with parameters from $1 on. */
  where: string;
  /** The parameter after those; by default $2. */
  limit?: '$2' | '$3';
}

const countRows = (table: CleanedTable, where: string) =>
  statement(`SELECT count(*) AS count FROM ${table} WHERE ${where}`, { count: bigint });

const makeExpired = ({ table, key = 'id', where, limit = '$2' }: Expiry): ExpiredRows => ({
  table,
  remove: statement(`
    DELETE FROM ${table} WHERE ${key} = ANY(ARRAY(
      SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`),
  count: countRows(table, where),
});

/** $1 now. */
export const userTokens = makeExpired({ table: 'user_tokens', where: 'expires_at <= $1 OR used_at <= $1' });

/** $1 cutoff of `expires_at`. */
export const deviceCodes = makeExpired({ table: 'device_codes', where: 'expires_at <= $1' });

/** $1 now. Includes accepted invitations: they contain an email address, and the membership has the rest. */
export const invitations = makeExpired({ table: 'invitations', where: 'expires_at <= $1 OR accepted_at <= $1' });

/** $1 the last failure that no longer counts, $2 now. */
export const loginLockouts = makeExpired({
  table: 'login_lockouts',
  key: 'address_hash',
  where: 'last_failed_at <= $1 AND (locked_until IS NULL OR locked_until <= $2)',
  limit: '$3',
});

/** $1 cutoff of `expire`, in milliseconds since 1970. A counter without an end (NULL) never expires. */
export const rateLimits = makeExpired({ table: 'rate_limits', key: 'key', where: 'expire <= $1' });

/** $1 cutoff of `created_at`, $2 the current run. The last run of each job stays: schedules and pages need its time. */
export const retentionRuns = makeExpired({
  table: 'retention_runs',
  where: `created_at <= $1 AND id <> $2 AND EXISTS (
        SELECT FROM retention_runs later WHERE later.job = retention_runs.job AND later.id > retention_runs.id)`,
  limit: '$3',
});

/** $1 the oldest minute and the oldest hour of a target that are kept, $2 the oldest hour and day. */
export const stats = makeExpired({
  table: 'stats',
  key: 'ctid',
  where: `(period = 'MINUTE' AND starts_at < $1 OR period = 'HOUR' AND starts_at < $1 AND subject_id <> project_id
           OR period IN ('HOUR', 'DAY') AND starts_at < $2)`,
  limit: '$3',
});

/** $1 a time on the oldest day whose rows may still be stored. */
export const storedBytes = makeExpired({
  table: 'stored_bytes',
  key: 'ctid',
  where: `day < ($1::timestamptz AT TIME ZONE 'UTC')::date`,
});

const IS_DEAD = `status = 'DEAD' AND dead_at <= $1`;

/** $1 cutoff of `dead_at`. Only dead rows expire: a pending row stays, however old it is. */
export const deadOutbox = makeExpired({ table: 'outbox', where: IS_DEAD });

const isRemovedWith = (source: EventTable, until: string) => `EXISTS (
  SELECT FROM ${source.table} e WHERE e.id = outbox.${source.column} AND e.created_at <= ${until} AND ${isRemovableSql(source)})`;

/**
 * Counts the dead outbox rows that are not removed with their event. $1 cutoff of `dead_at`, $2 and $3 the cutoffs of events
 * and incoming events.
 */
export const countDeadAlone = countRows(
  'outbox',
  `${IS_DEAD} AND NOT ${isRemovedWith(EVENT, '$2')} AND NOT ${isRemovedWith(INCOMING_EVENT, '$3')}`,
);

/** A position in the ended sessions, which are sorted by the time of their end. */
export interface SessionCursor {
  time: string;
  id: string;
}

const lockEnded = (column: string, where: string) =>
  statement(
    `
  WITH ended AS MATERIALIZED (
    SELECT ${column} AS time, id FROM sessions
    WHERE ${where} AND (${column}, id) > ($2::timestamptz, $3::uuid)
    ORDER BY ${column}, id LIMIT $4 FOR UPDATE SKIP LOCKED)
  SELECT count(*)::int AS count, ARRAY(SELECT id FROM ended)::text AS ids,
    (SELECT jsonb_build_object('time', time::text, 'id', id) FROM ended ORDER BY time DESC, id DESC LIMIT 1) AS cursor
  FROM ended`,
    {
      count: integer,
      /** In PostgreSQL's array syntax. */
      ids: text,
      /** The last of them; null when there is none. */
      cursor: nullable(jsonOf<SessionCursor>()),
    },
    { name: `retention-lock-sessions-by-${column}` },
  );

/**
 * Locks the next ended sessions. Skips those that another transaction has locked. Sessions end in two ways, each with its own
 * index, and no session is in both.
 *
 * $1 cutoff of the end, $2 and $3 cursor, $4 limit.
 */
export const lockEndedSessions = [
  lockEnded('expires_at', 'expires_at <= $1'),
  lockEnded('closed_at', 'closed_at <= $1 AND expires_at > $1'),
] as const;

/** Deletes refresh tokens of the sessions $1, at most $2. Skips rows that another transaction has locked. */
export const deleteTokens = statement(`
  DELETE FROM refresh_tokens WHERE id = ANY(ARRAY(
    SELECT id FROM refresh_tokens WHERE session_id = ANY(ARRAY(SELECT unnest($1::uuid[]))) LIMIT $2
    FOR UPDATE SKIP LOCKED))`);

/** Deletes the sessions $1 that have no token. */
export const deleteSessions = statement(`
  DELETE FROM sessions s WHERE id = ANY(ARRAY(SELECT unnest($1::uuid[])))
    AND NOT EXISTS (SELECT FROM refresh_tokens r WHERE r.session_id = s.id)`);

/** Counts the sessions that have ended by $1, and their tokens. */
export const countEnded = statement(
  `WITH ended AS MATERIALIZED (SELECT id FROM sessions WHERE expires_at <= $1 OR closed_at <= $1)
   SELECT (SELECT count(*)::int FROM ended) AS sessions,
          (SELECT count(*)::int FROM refresh_tokens r JOIN ended ON ended.id = r.session_id) AS tokens`,
  { sessions: integer, tokens: integer },
);
