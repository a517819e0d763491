import { database } from '@/lib/platform/db';
import { bigint, integer, text, texts } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Counts an attempt for each key, in a new window when the last one has ended. `windowEnd` is the end of a window that begins now. Both
 * times are in milliseconds since 1970. Locks in the order of the keys, so that two transactions never deadlock.
 */
export const countAttempts = statement(
  `INSERT INTO rate_limits AS r (key, points, expire) SELECT k, 1, $windowEnd::bigint FROM unnest($keys::text[]) k ORDER BY k
   ON CONFLICT (key) DO UPDATE SET
     points = CASE WHEN r.expire <= $now THEN 1 ELSE r.points + 1 END,
     expire = CASE WHEN r.expire <= $now THEN excluded.expire ELSE r.expire END
   RETURNING key, points`,
  { params: { keys: texts, windowEnd: bigint, now: bigint }, columns: { key: text, points: integer } },
);

/** Subtracts a counted attempt from each of the keys. */
export const refundAttempts = statement(
  'UPDATE rate_limits SET points = points - 1 WHERE key = ANY($keys) AND points > 0',
  { params: { keys: texts } },
);

export const deleteCount = statement('DELETE FROM rate_limits WHERE key = $key', { params: { key: text } });

/** Runs the statements of rate-limiter-flexible. Not the pool itself: a limiter outlives it. */
export const limiterClient = { query: (prepared: { text: string }) => database().query(prepared) };
