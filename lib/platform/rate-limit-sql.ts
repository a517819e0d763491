import { database } from '@/lib/platform/db';
import { integer } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Counts an attempt, in a new window when the last one has ended. $1 the stored key, $2 the end of a window that begins now,
 * $3 now: both in milliseconds since 1970.
 */
export const countAttempt = statement(
  `INSERT INTO rate_limits AS r (key, points, expire) VALUES ($1, 1, $2)
   ON CONFLICT (key) DO UPDATE SET
     points = CASE WHEN r.expire <= $3 THEN 1 ELSE r.points + 1 END,
     expire = CASE WHEN r.expire <= $3 THEN excluded.expire ELSE r.expire END
   RETURNING points`,
  { points: integer },
);

/** Subtracts a counted attempt from each of the keys $1. */
export const refundAttempts = statement(
  'UPDATE rate_limits SET points = points - 1 WHERE key = ANY($1) AND points > 0',
);

/** Runs the statements of rate-limiter-flexible. Not the pool itself: a limiter outlives it. */
export const limiterClient = { query: (prepared: { text: string }) => database().query(prepared) };
