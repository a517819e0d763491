import { timestamp } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Finished bulk retries that are kept per project. */
const MAX_ENDED = 100;

/** Deletes the oldest finished bulk retries of project $1 beyond the number that is kept. */
export const deleteOldBulkRetries = statement(
  `DELETE FROM bulk_retries WHERE project_id = $1 AND status <> 'RUNNING' AND id < (
     SELECT id FROM bulk_retries WHERE project_id = $1 AND status <> 'RUNNING'
     ORDER BY id DESC OFFSET ${MAX_ENDED - 1} LIMIT 1)`,
);

/** Selects the time by the database's clock. */
export const selectNow = statement('SELECT now() AS at', { at: timestamp });

/** Wakes a worker when the transaction commits. */
export const notifyBulkRetries = statement(`SELECT pg_notify('eds_bulk_retry', '')`);
