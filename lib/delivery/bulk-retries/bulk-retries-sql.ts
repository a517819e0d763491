import { DELIVERY_LEASE_SECONDS } from '@/lib/delivery/engine/lease';
import { cellChannelSql } from '@/lib/platform/cells/cell-channel';
import type { Sql } from '@/lib/platform/db';
import { type Condition, Parameters } from '@/lib/platform/sql/bounded-scan';
import {
  boolean,
  float,
  integer,
  jsonOf,
  knownToBeSet,
  nullable,
  textOf,
  timestamp,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
import { FORGET_FAILED_TRIES, jobStatements } from '@/lib/platform/sql/job-statements';
import { type RowOf, Statement, statement } from '@/lib/platform/sql/statement';

/** Finished bulk retries that are kept per project. */
const MAX_ENDED = 100;

/** Deletes the oldest finished bulk retries of a project beyond the number that is kept. */
export const deleteOldBulkRetries = statement(
  `DELETE FROM bulk_retries WHERE project_id = $project AND status <> 'RUNNING' AND id < (
     SELECT id FROM bulk_retries WHERE project_id = $project AND status <> 'RUNNING'
     ORDER BY id DESC OFFSET ${MAX_ENDED - 1} LIMIT 1)`,
  { params: { project: uuid } },
);

/** Selects the time by the database's clock. */
export const selectNow = statement('SELECT now() AS at', { columns: { at: timestamp } });

/** Wakes a worker when the transaction commits. */
export const notifyBulkRetries = statement(`SELECT pg_notify(${cellChannelSql('eds_bulk_retry')}, '')`);

const OWNER = 'coalesce(b.owner_id, b.project_id)';
const ORGANIZATION = '(SELECT organization_id FROM projects p WHERE p.id = b.project_id)';

/** What becomes of a delivery. */
export type Outcome = 'RETRIED' | 'PENDING' | 'DISABLED' | 'DELETED';

/**
 * Locks the running bulk retry that has waited longest for its next batch, of the owner whose turn follows that of another one. Other
 * workers skip it.
 */
export const lockDueBulkRetry = statement(
  `SELECT b.id, ${OWNER} AS owner_id, b.project_id, ${ORGANIZATION} AS organization_id, b.filter, b.delivery_ids, b.last_delivery_id,
          b.created_at, b.failed_tries,
          EXISTS (SELECT FROM projects p JOIN organizations o ON o.id = p.organization_id
            WHERE p.id = b.project_id AND p.deleted_at IS NULL AND o.deleted_at IS NULL) AS is_live
   FROM bulk_retries b WHERE b.status = 'RUNNING' AND b.next_batch_at <= now()
   ORDER BY (${OWNER} > $after) IS TRUE DESC, ${OWNER}, b.next_batch_at LIMIT 1 FOR UPDATE OF b SKIP LOCKED`,
  {
    params: { after: nullable(uuid) },
    columns: {
      id: uuid,
      owner_id: nullable(uuid),
      project_id: uuid,
      organization_id: knownToBeSet(uuid),
      filter: jsonOf<Record<string, string>>(),
      delivery_ids: nullable(uuids),
      last_delivery_id: nullable(uuid),
      created_at: timestamp,
      failed_tries: integer,
      is_live: boolean,
    },
  },
);
export type BulkRetryRow = RowOf<typeof lockDueBulkRetry.columns>;

export const bulkRetryJobs = jobStatements('bulk_retries');

/**
 * Locks those of the deliveries that fulfil the conditions, in the order of their ids as `insertAttempts` does, and tells what becomes
 * of each. `at` is the time of the bulk retry: a delivery that ended or failed later is not what its creator saw.
 *
 * A pending delivery waits if its next attempt is later than any lease ends. An earlier one may be under way, and is due soon.
 */
export function lockDeliveries(sql: Sql, ids: readonly string[], conditions: readonly Condition[], at: Date) {
  const parameters = new Parameters();
  return lockMatching(ids, conditions, at, parameters).all(sql, ...parameters.values);
}

function lockMatching(ids: readonly string[], conditions: readonly Condition[], at: Date, parameters: Parameters) {
  const chosen = parameters.add(ids);
  const time = parameters.add(at);
  return new Statement(
    `SELECT x.id, coalesce(x.endpoint_id, x.destination_id) AS target_id,
            CASE WHEN x.status = 'PENDING' AND x.next_attempt_at <= now() + make_interval(secs => ${DELIVERY_LEASE_SECONDS})
                   THEN 'PENDING'
                 WHEN coalesce(ep.deleted_at, ds.deleted_at) IS NOT NULL THEN 'DELETED'
                 WHEN NOT coalesce(ep.enabled, ds.enabled) THEN 'DISABLED'
                 ELSE 'RETRIED' END AS outcome
     FROM deliveries x
     LEFT JOIN endpoints ep ON ep.id = x.endpoint_id
     LEFT JOIN destinations ds ON ds.id = x.destination_id
     WHERE x.id = ANY(${chosen}::uuid[]) AND ${parameters.all(conditions)}
       AND (x.completed_at IS NULL OR x.completed_at <= ${time})
       AND (x.status <> 'PENDING' OR x.last_attempt_at IS NULL OR x.last_attempt_at <= ${time})
     ORDER BY x.id FOR NO KEY UPDATE OF x`,
    { id: uuid, target_id: uuid, outcome: textOf<Outcome>() },
  );
}

/** Checked against the database by a test. */
export const CHECKED_STATEMENTS = [lockMatching([], [], new Date(0), new Parameters())];

/** Makes deliveries due and restarts their schedules. The caller has locked them. */
export const makeAllDue = statement(
  `UPDATE deliveries SET status = 'PENDING', next_attempt_at = now(), schedule_step = 0, completed_at = NULL
   WHERE project_id = $project AND id = ANY($deliveries)`,
  { params: { project: uuid, deliveries: uuids } },
);

/** Moves a bulk retry forward to a cursor, and counts what became of its deliveries. */
export const advanceBulkRetry = statement(
  `UPDATE bulk_retries SET last_delivery_id = coalesce($cursor, last_delivery_id), retried = retried + $retried,
          skipped_pending = skipped_pending + $pending, skipped_disabled = skipped_disabled + $disabled,
          skipped_deleted = skipped_deleted + $deleted, ${FORGET_FAILED_TRIES}, next_batch_at = now() + make_interval(secs => $paceSeconds)
   WHERE id = $bulkRetry`,
  {
    params: {
      cursor: nullable(uuid),
      retried: integer,
      pending: integer,
      disabled: integer,
      deleted: integer,
      paceSeconds: float,
      bulkRetry: uuid,
    },
  },
);

/** Ends a bulk retry, which has come to its last delivery. What it never met is gone. */
export const completeBulkRetry = statement(
  `UPDATE bulk_retries SET status = 'COMPLETED', completed_at = now(),
          skipped_gone = greatest(0, total - retried - skipped_pending - skipped_disabled - skipped_deleted)
   WHERE id = $bulkRetry`,
  { params: { bulkRetry: uuid } },
);

/** Ends a bulk retry of a deleted project. */
export const cancelBulkRetry = statement(
  `UPDATE bulk_retries SET status = 'CANCELED', completed_at = now() WHERE id = $bulkRetry`,
  { params: { bulkRetry: uuid } },
);
