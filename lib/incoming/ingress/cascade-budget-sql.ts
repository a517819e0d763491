import { integer } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Takes from a budget what a request to source $2 costs: $3 for the request and for each of its forwards. $1 the stored key of the
 * budget, $4 when one that begins now ends, $5 now: both in milliseconds since 1970. Returns what has been taken in all.
 */
export const spendBudget = statement(
  `INSERT INTO rate_limits AS r (key, points, expire)
   SELECT $1, $3::int * (1 + count(*)::int), $4::bigint FROM destinations
   WHERE source_id = $2 AND enabled AND deleted_at IS NULL
   ON CONFLICT (key) DO UPDATE SET
     points = CASE WHEN r.expire <= $5::bigint THEN excluded.points ELSE least(r.points, 1000000000) + excluded.points END,
     expire = CASE WHEN r.expire <= $5::bigint THEN excluded.expire ELSE r.expire END
   RETURNING points`,
  { points: integer },
);
