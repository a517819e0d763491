import { float, nullable } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Records the use of key $1 and returns the milliseconds until the next write can be due.
 *
 * It checks the age itself, so that all processes together write once a minute per key: when two run at once, the second
 * waits for the row, checks it again and writes nothing.
 */
export const noteUse = statement(
  `
WITH noted AS (
  UPDATE api_keys SET last_used_at = now()
  WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')
  RETURNING last_used_at
)
SELECT extract(epoch FROM coalesce(n.last_used_at, k.last_used_at) + interval '1 minute' - now())::float8 * 1000 AS wait_ms
FROM api_keys k LEFT JOIN noted n ON true WHERE k.id = $1`,
  { wait_ms: nullable(float) },
  { name: 'touch-key' },
);
