import { bigint } from '@/lib/platform/sql/column';
import { type Statement, statement } from '@/lib/platform/sql/statement';
import type { CleanedTable } from '@/lib/retention/jobs/job-run';
import { type DeliverySource, EVENT, INCOMING_EVENT, isRemovableSql } from './delivery-source';

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

const isRemovedWith = (source: DeliverySource, until: string) => `EXISTS (
  SELECT FROM ${source.table} e WHERE e.id = outbox.${source.column} AND e.created_at <= ${until} AND ${isRemovableSql(source)})`;

/**
 * Counts the dead outbox rows that are not removed with their event. $1 cutoff of `dead_at`, $2 and $3 the cutoffs of events
 * and incoming events.
 */
export const countDeadAlone = countRows(
  'outbox',
  `${IS_DEAD} AND NOT ${isRemovedWith(EVENT, '$2')} AND NOT ${isRemovedWith(INCOMING_EVENT, '$3')}`,
);
