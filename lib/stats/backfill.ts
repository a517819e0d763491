import { inSqlTransaction, type Sql } from '@/lib/platform/db';
import {
  type Backfill,
  endBackfill,
  findPartition,
  lockBackfill,
  moveCursor,
  queueAttemptsOf,
  queueOlder,
} from './backfill-sql';

/** One step of some thousand rows: a fraction of a second. */
const [STEP_BLOCKS, STEP_ROWS] = [250, 5_000];

/**
 * Queues some of the rows that are older than the statistics, as if they had just been recorded. The cursor moves in the same
 * transaction, so each row is queued once.
 * @returns whether more may be left
 */
export function countOlderRows(): Promise<boolean> {
  return inSqlTransaction(async (tx) => {
    const backfill = await lockBackfill.first(tx);
    if (backfill === undefined) return false;
    const cursor = await (backfill.source === 'attempts' ? queueAttempts(tx, backfill) : queueRows(tx, backfill));
    if (cursor === null) await endBackfill.run(tx, backfill.source);
    else await moveCursor.run(tx, backfill.source, cursor);
    return true;
  });
}

/** Reads the attempts partition by partition, in the order of their blocks: they have no index by time. */
async function queueAttempts(tx: Sql, { before, cursor }: Backfill): Promise<string | null> {
  const [block = '0', name = ''] = cursor?.split(' ', 2) ?? [];
  const partition = await findPartition.first(tx, name);
  if (partition === undefined) return null;
  // Another name: the partition of the cursor has been dropped, or its end was reached.
  const from = partition.name === name ? Number(block) : 0;
  const to = from + STEP_BLOCKS;
  if (from < partition.blocks) await queueAttemptsOf(partition.name).run(tx, `(${from},0)`, `(${to},0)`, before);
  // The lowest name after this one.
  return to < partition.blocks ? `${to} ${partition.name}` : `0 ${partition.name}!`;
}

async function queueRows(tx: Sql, { source, before, cursor }: Backfill): Promise<string | null> {
  const [at = null, id = null] = cursor?.split(' ') ?? [];
  const statement = source === 'events' ? queueOlder.events : queueOlder.incoming_events;
  return (await statement.first(tx, at, id, before, STEP_ROWS))?.cursor ?? null;
}
