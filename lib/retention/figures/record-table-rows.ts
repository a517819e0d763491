import { database } from '@/lib/platform/db';
import { CLEANED_TABLES, type CleanupStep } from '@/lib/retention/jobs/job-run';
import { countAllDefaultRows } from '@/lib/retention/partitions/count-default-rows';
import { analyzeMissingStatistics } from './analyze-missing-statistics';
import { estimateRows } from './estimate-rows';
import { setTableRows } from './run-figures-sql';

/**
 * The metrics job: records in its run the estimated rows of each table and the rows in default partitions, so that growth
 * is visible without Prometheus.
 */
export const recordTableRows: CleanupStep = {
  async clean(run) {
    await analyzeMissingStatistics(CLEANED_TABLES);
    const estimates = await estimateRows(CLEANED_TABLES);
    const defaults = await countAllDefaultRows();
    const tableRows = {
      ...Object.fromEntries(estimates.map(({ table, rows }) => [table, rows])),
      partitionDefaultRows: [...defaults.values()].reduce((sum, rows) => sum + rows, 0),
    };
    await setTableRows.run(database(), run.id, tableRows);
  },
  preview: async () => ({}),
};
