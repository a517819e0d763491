import type { Sql } from '@/lib/platform/db';
import type { RowOf } from '@/lib/platform/sql/statement';
import { selectWorkers } from './workers-sql';

/** Lists up to 100 workers of the last day: the live ones first, then those seen last. */
export async function listWorkers(sql: Sql): Promise<RowOf<typeof selectWorkers.columns>[]> {
  return selectWorkers.all(sql);
}
