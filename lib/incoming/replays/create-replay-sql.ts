import { integer } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** The most incoming events that one replay sends. */
export const MAX_REPLAYED = 100_000;
/** Finished replays that are kept per project. */
const MAX_ENDED = 100;

/** Conditions on an incoming event `i` of source $2 of project $1, created from $3 to $4, with the ids $5 and $6 of these times. */
export const MATCHES_REPLAY = `
  i.project_id = $1 AND i.source_id = $2 AND i.verified IS NOT FALSE
  AND ($3::timestamptz IS NULL OR i.created_at >= $3) AND i.created_at <= $4
  AND ($5::uuid IS NULL OR i.id >= $5) AND i.id <= $6`;

/** Counts the incoming events of a replay, up to one more than the limit. */
export const countMatching = statement(
  `SELECT count(*)::int AS total FROM (
     SELECT FROM incoming_events i WHERE ${MATCHES_REPLAY} LIMIT ${MAX_REPLAYED + 1}) matching`,
  { total: integer },
);

/** Deletes the oldest finished replays of project $1 beyond the number that is kept. */
export const deleteOldReplays = statement(
  `DELETE FROM incoming_event_replays WHERE project_id = $1 AND status <> 'RUNNING' AND id < (
     SELECT id FROM incoming_event_replays WHERE project_id = $1 AND status <> 'RUNNING'
     ORDER BY id DESC OFFSET ${MAX_ENDED - 1} LIMIT 1)`,
);

/** Wakes a worker when the transaction commits. */
export const notifyReplays = statement(`SELECT pg_notify('eds_replay', '')`);
