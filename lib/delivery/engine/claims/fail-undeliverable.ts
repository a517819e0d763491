import type { Obstacle, TargetKind } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { failDue } from './claim-sql';

const BATCH_ROWS = 1_000;

/**
 * Fails the due deliveries of a disabled or deleted target without an attempt. Deliveries that are due later stay pending: the
 * target gets them if it is enabled in time (docs/decisions/009-disabled-endpoints-end-what-is-due.md).
 *
 * @returns how many have failed, and whether more may be due
 */
export async function failUndeliverable(
  sql: Sql,
  targetId: string,
  { kind, obstacle }: { kind: TargetKind; obstacle: Obstacle },
): Promise<{ failed: number; mayHaveMore: boolean }> {
  const reason = `${kind === 'endpoint' ? 'Endpoint' : 'Destination'} is ${obstacle}`;
  const failed = await failDue.run(sql, targetId, reason, BATCH_ROWS);
  return { failed, mayHaveMore: failed === BATCH_ROWS };
}
