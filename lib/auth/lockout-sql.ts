import { bytes, integer, nullable, text, timestamp } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { MAX_DOUBLINGS } from './lockout-policy';

/** The database's clock, truncated to the milliseconds that the columns hold. */
const DATABASE_NOW = `date_trunc('milliseconds', now())`;

/**
 * Counts a guess unless the address is locked: `countGuess` of ./lockout-policy.ts as one statement, so that
 * concurrent guesses are counted one after the other, also across processes. Returns no row while the address is
 * locked.
 *
 * $1 address hash, $2 threshold, $3 initial and $4 longest seconds, $5 window in minutes, $6 failures kept.
 *
 * @param now SQL for the time of the guess
 */
export function countGuessSql(now: string = DATABASE_NOW): string {
  const lockedUntil = (failures: string) => `
    CASE WHEN ${failures} >= $2::int THEN ${now} + make_interval(secs =>
      least($4::int, $3::int * power(2, least(${failures} - $2::int, ${MAX_DOUBLINGS})))) END`;
  return `
    INSERT INTO login_lockouts AS l (address_hash, failed_at, last_failed_at, locked_until)
    VALUES ($1, ARRAY[${now}], ${now}, ${lockedUntil('1')})
    ON CONFLICT (address_hash) DO UPDATE SET (failed_at, last_failed_at, locked_until) = (
      SELECT f.at, ${now}, ${lockedUntil('cardinality(f.at)')}
      FROM (SELECT array_agg(at ORDER BY at) AS at
            FROM (SELECT at FROM unnest(l.failed_at || ${now}) AS at
                  WHERE at > ${now} - make_interval(mins => $5::int)
                  ORDER BY at DESC LIMIT $6::int) AS newest) AS f)
    WHERE l.locked_until IS NULL OR l.locked_until <= ${now}
    RETURNING last_failed_at::text AS counted_at, locked_until::text AS locked_until`;
}

/** Counts a guess now. Its times are text, because they are sent back to the database. */
export const recordFailure = statement(countGuessSql(), { counted_at: text, locked_until: nullable(text) });

const PLACE = 'array_position(failed_at, $2::timestamptz(3))';

/**
 * Removes a guess that was never checked: `withoutGuess` of ./lockout-policy.ts as one statement.
 *
 * $1 address hash, $2 when it was counted, $3 the lockout it started, $4 threshold.
 */
export const removeFailure = statement(
  `
  UPDATE login_lockouts
  SET failed_at = failed_at[:${PLACE} - 1] || failed_at[${PLACE} + 1:],
      locked_until = CASE WHEN locked_until = $3::timestamptz(3) OR cardinality(failed_at) - 1 < $4::int THEN NULL
                          ELSE locked_until END
  WHERE address_hash = $1 AND ${PLACE} IS NOT NULL`,
);

/** Returns the whole seconds until a lockout ends. $1 address hash. */
export const findSecondsLocked = statement(
  `
  SELECT ceil(extract(epoch FROM locked_until - now()))::int AS seconds FROM login_lockouts
  WHERE address_hash = $1 AND locked_until > now()`,
  { seconds: integer },
);

/** Lists the failures within the window and the lockouts. $1 address hashes, $2 window in minutes. */
export const listFailures = statement(
  `SELECT address_hash, CASE WHEN locked_until > now() THEN locked_until END AS locked_until,
          (SELECT count(*)::int FROM unnest(failed_at) AS at WHERE at > now() - make_interval(mins => $2::int)) AS failures
   FROM login_lockouts WHERE address_hash = ANY($1::bytea[])`,
  { address_hash: bytes, locked_until: nullable(timestamp), failures: integer },
);

/** Deletes the failures of an address. $1 address hash. */
export const deleteFailures = statement('DELETE FROM login_lockouts WHERE address_hash = $1');
