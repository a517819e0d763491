import { statement } from '@/lib/platform/sql/statement';

/** Finished replays that are kept per project. */
const MAX_ENDED = 100;

/** Deletes the oldest finished replays of project $1 beyond the number that is kept. */
export const deleteOldReplays = statement(
  `DELETE FROM incoming_event_replays WHERE project_id = $1 AND status <> 'RUNNING' AND id < (
     SELECT id FROM incoming_event_replays WHERE project_id = $1 AND status <> 'RUNNING'
     ORDER BY id DESC OFFSET ${MAX_ENDED - 1} LIMIT 1)`,
);

/** Wakes a worker when the transaction commits. */
export const notifyReplays = statement(`SELECT pg_notify('eds_replay', '')`);
