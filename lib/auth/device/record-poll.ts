import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';

/** Each early poll adds this to the interval, permanently (RFC 8628 section 3.5). */
const SLOW_DOWN_SECONDS = 5;
/** The lifetime of a code: a longer interval would have no effect. */
const MAX_INTERVAL_SECONDS = 600;

/*
 * Each is one guarded statement on the row, so the interval holds across processes, and of several polls at once
 * exactly one is in time.
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
 * Records a poll for a code that is not decided yet.
 * @returns the error to send: authorization_pending, or slow_down with the new `interval` in seconds
 */
export async function recordPoll(codeId: string): Promise<AppError> {
  const { rowCount } = await database().query(IN_TIME_SQL, [codeId]);
  if (rowCount === 1) return pending();
  const { rows } = await database().query<{ interval_seconds: number }>(TOO_SOON_SQL, [
    codeId,
    SLOW_DOWN_SECONDS,
    MAX_INTERVAL_SECONDS,
  ]);
  const interval = rows[0]?.interval_seconds;
  // Decided since it was read: the next poll gets the decision.
  if (interval === undefined) return pending();
  return new AppError('slow_down', `Polled too soon. Wait ${interval} seconds before each poll.`, {
    extra: { interval },
  });
}

function pending(): AppError {
  return new AppError('authorization_pending', 'Nobody has approved this code yet. Poll again after the interval.');
}
