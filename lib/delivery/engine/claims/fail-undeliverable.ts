import type { Obstacle } from '@/lib/delivery/engine/targets';
import type { Sql } from '@/lib/platform/db';
import { TARGET_ID } from './claim-due';

const BATCH_ROWS = 1_000;

const FAIL_SQL = `
  UPDATE deliveries SET status = 'FAILED', next_attempt_at = NULL, completed_at = now(), last_error = $2
  WHERE id = ANY(ARRAY(
    SELECT id FROM deliveries
    WHERE status = 'PENDING' AND ${TARGET_ID} = $1 AND next_attempt_at <= now()
    ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED))`;

/**
 * Fails the due deliveries of a disabled or deleted target without an attempt. Deliveries that are due later stay pending: the
 * target gets them if it is enabled in time (docs/decisions/009-disabled-endpoints-end-what-is-due.md).
 *
 * @returns how many have failed, and whether more may be due
 */
export async function failUndeliverable(
  sql: Sql,
  targetId: string,
  obstacle: Obstacle,
): Promise<{ failed: number; mayHaveMore: boolean }> {
  const reason = obstacle === 'disabled' ? 'Endpoint is disabled' : 'Endpoint is deleted';
  const { rowCount } = await sql.query(FAIL_SQL, [targetId, reason, BATCH_ROWS]);
  const failed = rowCount ?? 0;
  return { failed, mayHaveMore: failed === BATCH_ROWS };
}
