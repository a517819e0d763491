import { MINUTE_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { analyzeTable, listForgotten } from './estimate-rows-sql';

/** Analyzes tables without statistics, and their partitions, so that their rows can be estimated. */
export async function analyzeMissingStatistics(tables: readonly string[]): Promise<void> {
  for (const { name } of await listForgotten.all(database(), tables)) {
    try {
      await inSqlTransaction((tx) => analyzeTable(tx, name), { statementMs: MINUTE_MS });
    } catch (error) {
      // Somebody holds the table or has dropped it. The next run tries again.
      log().warn({ err: error, table: name }, 'table without statistics could not be analyzed');
    }
  }
}
