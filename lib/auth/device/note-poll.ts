import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';

/** What each poll that comes too soon adds to the interval, for good (RFC 8628 section 3.5). */
const SLOW_DOWN_SECONDS = 5;
/** A code's whole life: an interval beyond it says nothing more. */
const MAX_INTERVAL_SECONDS = 600;

/*
 * Each is one guarded statement on the row, so the interval counts across processes, and of many polls at once exactly one
 * is in time.
 */
const IN_TIME_SQL = `
  UPDATE device_codes SET last_polled_at = clock_timestamp()
  WHERE id = $1 AND status = 'PENDING'
    AND (last_polled_at IS NULL OR last_polled_at + make_interval(secs => interval_seconds) <= clock_timestamp())`;
const TOO_SOON_SQL = `
  UPDATE device_codes
  SET last_polled_at = clock_timestamp(), interval_seconds = LEAST(interval_seconds + $2, $3)
  WHERE id = $1 AND status = 'PENDING' RETURNING interval_seconds`;

/**
 * Notes a poll for a code that waits for its decision.
 * @returns what the poll is answered: authorization_pending, or slow_down with the seconds to wait from now on in `interval`
 */
export async function notePoll(codeId: string): Promise<AppError> {
  const { rowCount } = await database().query(IN_TIME_SQL, [codeId]);
  if (rowCount === 1) return pending();
  const { rows } = await database().query<{ interval_seconds: number }>(TOO_SOON_SQL, [
    codeId,
    SLOW_DOWN_SECONDS,
    MAX_INTERVAL_SECONDS,
  ]);
  const interval = rows[0]?.interval_seconds;
  // Decided on since it was read: the next poll is told.
  if (interval === undefined) return pending();
  return new AppError('slow_down', `Polled too soon. Wait ${interval} seconds before each poll from now on.`, {
    extra: { interval },
  });
}

function pending(): AppError {
  return new AppError('authorization_pending', 'Nobody has approved this code yet. Poll again after the interval.');
}
