import {
  bigint,
  integer,
  jsonOf,
  nullable,
  text,
  timestamp,
  uuid,
  writtenTimestamp,
  writtenUuids,
} from '@/lib/platform/sql/column';
import { type Columns, type Statement, statement } from '@/lib/platform/sql/statement';
import type { CleanedTable } from '@/lib/retention/jobs/job-run';
import { EVENT, type EventTable, INCOMING_EVENT, isRemovableSql } from './event-sql';

/** The longest wait for a lock. Shorter than a second, after which PostgreSQL checks for deadlocks. */
const LOCK_TIMEOUT_MS = 500;

/** Limits how long each statement of the transaction waits for a lock. */
export const limitLockWaits = statement(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);

/** Rows of a table that expire by a condition on their own columns. */
export interface ExpiredRows<P extends Columns = Columns> {
  table: CleanedTable;
  /** Removes some of them. Also takes a `limit`. Skips rows that another transaction has locked. */
  remove: Statement<Record<never, never>, P & { limit: typeof bigint }>;
  /** Counts all of them. */
  count: Statement<{ count: typeof bigint }, P>;
}

interface Expiry<P extends Columns> {
  table: CleanedTable;
  /** The column of its primary key; by default `id`. */
  key?: string;
  /** SQL with the parameters of `params`. */
  where: string;
  params: P;
}

const countRows = <P extends Columns>(table: CleanedTable, where: string, params: P) =>
  statement(`SELECT count(*) AS count FROM ${table} WHERE ${where}`, { params, columns: { count: bigint } });

const makeExpired = <P extends Columns>({ table, key = 'id', where, params }: Expiry<P>): ExpiredRows<P> => ({
  table,
  remove: statement(
    `
    DELETE FROM ${table} WHERE ${key} = ANY(ARRAY(
      SELECT ${key} FROM ${table} WHERE ${where} LIMIT $limit FOR UPDATE SKIP LOCKED))`,
    { params: { ...params, limit: bigint } },
  ),
  count: countRows(table, where, params),
});

export const userTokens = makeExpired({
  table: 'user_tokens',
  where: 'expires_at <= $now OR used_at <= $now',
  params: { now: timestamp },
});

export const deviceCodes = makeExpired({
  table: 'device_codes',
  where: 'expires_at <= $until',
  params: { until: timestamp },
});

/** Links and sessions of portals. */
export const portalSessions = makeExpired({
  table: 'portal_sessions',
  where: 'expires_at <= $until',
  params: { until: timestamp },
});

/** Includes accepted invitations: they contain an email address, and the membership has the rest. */
export const invitations = makeExpired({
  table: 'invitations',
  where: 'expires_at <= $now OR accepted_at <= $now',
  params: { now: timestamp },
});

/** `failedUntil`: the last failure that no longer counts. */
export const loginLockouts = makeExpired({
  table: 'login_lockouts',
  key: 'address_hash',
  where: 'last_failed_at <= $failedUntil AND (locked_until IS NULL OR locked_until <= $now)',
  params: { failedUntil: timestamp, now: timestamp },
});

/** `until` is in milliseconds since 1970. A counter without an end (NULL) never expires. */
export const rateLimits = makeExpired({
  table: 'rate_limits',
  key: 'key',
  where: 'expire <= $until',
  params: { until: bigint },
});

/** Without the current run. The last run of each job stays: schedules and pages need its time. */
export const retentionRuns = makeExpired({
  table: 'retention_runs',
  where: `created_at <= $until AND id <> $currentRun AND EXISTS (
        SELECT FROM retention_runs later WHERE later.job = retention_runs.job AND later.id > retention_runs.id)`,
  params: { until: timestamp, currentRun: uuid },
});

/** `oldestMinute`: also the oldest hour of a target that is kept. `oldestHour`: also the oldest day. */
export const stats = makeExpired({
  table: 'stats',
  key: 'ctid',
  where: `(period = 'MINUTE' AND starts_at < $oldestMinute
           OR period = 'HOUR' AND starts_at < $oldestMinute AND subject_id <> project_id
           OR period IN ('HOUR', 'DAY') AND starts_at < $oldestHour)`,
  params: { oldestMinute: timestamp, oldestHour: timestamp },
});

/** `oldest`: a time on the oldest day whose rows may still be stored. */
export const storedBytes = makeExpired({
  table: 'stored_bytes',
  key: 'ctid',
  where: `day < ($oldest::timestamptz AT TIME ZONE 'UTC')::date`,
  params: { oldest: timestamp },
});

/** Times in which endpoints were disabled, and of which no event remains. */
export const disabledPeriods = makeExpired({
  table: 'endpoint_disabled_periods',
  key: 'ctid',
  where: 'ends_at <= $until',
  params: { until: timestamp },
});

/** A position in rows that are sorted by a time. */
export interface TimeCursor {
  time: string;
  id: string;
}

/** Deleted rows that nothing shown refers to any more. A worker that still holds one has long ended its lease. */
const makeDeleted = (
  table: 'endpoints' | 'destinations' | 'sources',
  references: readonly (readonly [string, string])[],
) => {
  const where = [
    'deleted_at <= $until',
    ...references.map(([from, column]) => `NOT EXISTS (SELECT FROM ${from} r WHERE r.${column} = ${table}.id)`),
  ].join(' AND ');
  return {
    table,
    /** Removes the next of them after a cursor, so that no batch looks again for what refers to the rows that stay. */
    removeAfter: statement(
      `
      WITH found AS MATERIALIZED (
        SELECT deleted_at AS time, id FROM ${table}
        WHERE (deleted_at, id) > ($afterTime::timestamptz, $afterId::uuid) AND ${where}
        ORDER BY deleted_at, id LIMIT $limit FOR UPDATE SKIP LOCKED
      ), removed AS (DELETE FROM ${table} WHERE id = ANY(ARRAY(SELECT id FROM found)) RETURNING 1)
      SELECT (SELECT count(*)::int FROM removed) AS removed,
        (SELECT jsonb_build_object('time', time::text, 'id', id) FROM found ORDER BY time DESC, id DESC LIMIT 1) AS cursor`,
      {
        params: { until: timestamp, afterTime: writtenTimestamp, afterId: uuid, limit: bigint },
        columns: {
          removed: integer,
          /** The last that was found; null when there was none. */
          cursor: nullable(jsonOf<TimeCursor>()),
        },
      },
    ),
    count: countRows(table, where, { until: timestamp }),
  };
};

export const deletedEndpoints = makeDeleted('endpoints', [['deliveries', 'endpoint_id']]);
export const deletedDestinations = makeDeleted('destinations', [
  ['deliveries', 'destination_id'],
  ['incoming_event_replays', 'destination_id'],
]);
export const deletedSources = makeDeleted('sources', [
  ['incoming_events', 'source_id'],
  ['destinations', 'source_id'],
  ['incoming_event_replays', 'source_id'],
]);

const IS_DEAD = `status = 'DEAD' AND dead_at <= $until`;

/** Only dead rows expire: a pending row stays, however old it is. */
export const deadOutbox = makeExpired({ table: 'outbox', where: IS_DEAD, params: { until: timestamp } });
export const deadMails = makeExpired({ table: 'mails', where: IS_DEAD, params: { until: timestamp } });

const isRemovedWith = (source: EventTable, until: string) => `EXISTS (
  SELECT FROM ${source.table} e WHERE e.id = outbox.${source.column} AND e.created_at <= ${until} AND ${isRemovableSql(source)})`;

/** Counts the dead outbox rows that are not removed with their event. */
export const countDeadAlone = countRows(
  'outbox',
  `${IS_DEAD} AND NOT ${isRemovedWith(EVENT, '$eventsUntil')} AND NOT ${isRemovedWith(INCOMING_EVENT, '$incomingEventsUntil')}`,
  { until: timestamp, eventsUntil: timestamp, incomingEventsUntil: timestamp },
);

const lockEnded = (column: string, where: string) =>
  statement(
    `
  WITH ended AS MATERIALIZED (
    SELECT ${column} AS time, id FROM sessions
    WHERE ${where} AND (${column}, id) > ($afterTime::timestamptz, $afterId::uuid)
    ORDER BY ${column}, id LIMIT $limit FOR UPDATE SKIP LOCKED)
  SELECT count(*)::int AS count, ARRAY(SELECT id FROM ended)::text AS ids,
    (SELECT jsonb_build_object('time', time::text, 'id', id) FROM ended ORDER BY time DESC, id DESC LIMIT 1) AS cursor
  FROM ended`,
    {
      params: { until: timestamp, afterTime: writtenTimestamp, afterId: uuid, limit: bigint },
      columns: {
        count: integer,
        /** In PostgreSQL's array syntax. */
        ids: text,
        /** The last of them; null when there is none. */
        cursor: nullable(jsonOf<TimeCursor>()),
      },
      name: `retention-lock-sessions-by-${column}`,
    },
  );

/**
 * Locks the next ended sessions. Skips those that another transaction has locked. Sessions end in two ways, each with its own
 * index, and no session is in both.
 */
export const lockEndedSessions = [
  lockEnded('expires_at', 'expires_at <= $until'),
  lockEnded('closed_at', 'closed_at <= $until AND expires_at > $until'),
] as const;

/** Deletes some refresh tokens of sessions. Skips rows that another transaction has locked. */
export const deleteTokens = statement(
  `
  DELETE FROM refresh_tokens WHERE id = ANY(ARRAY(
    SELECT id FROM refresh_tokens WHERE session_id = ANY(ARRAY(SELECT unnest($sessions::uuid[]))) LIMIT $limit
    FOR UPDATE SKIP LOCKED))`,
  { params: { sessions: writtenUuids, limit: bigint } },
);

/** Deletes those of these sessions that have no token. */
export const deleteSessions = statement(
  `
  DELETE FROM sessions s WHERE id = ANY(ARRAY(SELECT unnest($sessions::uuid[])))
    AND NOT EXISTS (SELECT FROM refresh_tokens r WHERE r.session_id = s.id)`,
  { params: { sessions: writtenUuids } },
);

/** Counts the sessions that have ended by a time, and their tokens. */
export const countEnded = statement(
  `WITH ended AS MATERIALIZED (SELECT id FROM sessions WHERE expires_at <= $until OR closed_at <= $until)
   SELECT (SELECT count(*)::int FROM ended) AS sessions,
          (SELECT count(*)::int FROM refresh_tokens r JOIN ended ON ended.id = r.session_id) AS tokens`,
  { params: { until: timestamp }, columns: { sessions: integer, tokens: integer } },
);
