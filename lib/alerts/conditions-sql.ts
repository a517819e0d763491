import { PENDING_BY_PROJECT, PENDING_BY_TARGET, TARGET_ID } from '@/lib/delivery/pending';
import { byIndex } from '@/lib/platform/sql/bounded-scan';
import { boolean, integer, nullable, text, timestamp, uuid, uuids } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import { FAILED } from '@/lib/stats/stats-sql';
import {
  BACKLOG_MINUTES,
  EXPIRING_DAYS,
  FAILING_MINUTES,
  FAILURE_HOURS,
  MATCHING_MINUTES,
  MISMATCH_MINUTES,
  REJECTED_REQUESTS,
  REJECTING_MINUTES,
} from './triggers-policy';

/** Endpoints, sources, types or keys that one statement looks at, at most, besides those with an incident. */
const MAX_SUBJECTS = 1_000;
/** Rows of statistics that are read to find endpoints with failures. */
const MAX_STATS = 3_000;
/** The newest deliveries of an endpoint that may show a success. */
const NEWEST_DELIVERIES = 20;

/** `$known` are those with an incident: whether they are over is always asked. What is deleted is not found. */
const CONDITION = { project: uuid, known: uuids };

/**
 * Selects the state of the endpoints of a project that had failures in the last hours, by the index of failures, and of those with an
 * incident. `has_failures`: it is one of the former. `succeeded_at` is the last success among the newest deliveries: another worker may
 * have recorded it without clearing `failing_since`. `is_exhausted`: in this or the last hour of the clock, a delivery failed for good.
 * Deliveries are only read with `$isHealthAsked`, and their statistics with `$isExhaustedAsked`. One that has failed for `FAILURE_HOURS`, or
 * is disabled for as long, and had no attempt since, is known or old news.
 */
export const selectEndpointStates = statement(
  `WITH failed AS (
     SELECT subject_id FROM (
       SELECT subject_id, starts_at FROM stats
       WHERE project_id = $project AND period = 'HOUR' AND starts_at >= now() - interval '${FAILURE_HOURS} hours'
         AND subject_id <> project_id AND deliveries_failed + ${FAILED} > 0
       ORDER BY starts_at DESC LIMIT ${MAX_STATS}) newest
     GROUP BY subject_id ORDER BY max(starts_at) DESC, subject_id LIMIT ${MAX_SUBJECTS}
   )
   SELECT e.id, e.id IN (SELECT subject_id FROM failed) AS has_failures, e.enabled AS is_live, e.disabled_reason,
          e.failing_since, s.succeeded_at,
          coalesce(e.enabled AND e.failing_since <= now() - interval '${FAILING_MINUTES} minutes'
            AND NOT coalesce(s.succeeded_at >= e.failing_since, false), false) AS is_failing,
          $isExhaustedAsked::boolean AND EXISTS (SELECT FROM stats h
            WHERE h.project_id = $project AND h.period = 'HOUR' AND h.subject_id = e.id AND h.deliveries_failed > 0
              AND h.starts_at >= date_trunc('hour', now()) - interval '1 hour') AS is_exhausted
   FROM endpoints e CROSS JOIN LATERAL (
     SELECT max(d.completed_at) AS succeeded_at FROM (
       SELECT status, completed_at FROM deliveries WHERE $isHealthAsked::boolean AND ${byIndex('endpoint_id', 'e.id')}
       ORDER BY deliveries.endpoint_id DESC, id DESC LIMIT ${NEWEST_DELIVERIES}) d
     WHERE d.status = 'SUCCEEDED') s
   WHERE e.project_id = $project AND e.deleted_at IS NULL AND e.id = ANY(ARRAY(SELECT subject_id FROM failed UNION SELECT unnest($known::uuid[])))`,
  {
    params: { ...CONDITION, isHealthAsked: boolean, isExhaustedAsked: boolean },
    columns: {
      id: uuid,
      has_failures: nullable(boolean),
      is_live: boolean,
      disabled_reason: nullable(text),
      failing_since: nullable(timestamp),
      succeeded_at: nullable(timestamp),
      is_failing: nullable(boolean),
      is_exhausted: nullable(boolean),
    },
    name: 'alert-endpoints',
  },
);
export type EndpointState = RowOf<typeof selectEndpointStates.columns>;

const nextTarget = (condition: string) => `
  SELECT ${TARGET_ID} AS id, next_attempt_at FROM deliveries
  WHERE ${PENDING_BY_PROJECT} AND project_id = $project AND ${condition}
  ORDER BY ${TARGET_ID}, next_attempt_at LIMIT 1`;

/** What remains of a backlog when it is over: less than this, so that it does not begin and end all the time. */
const CAUGHT_UP_MINUTES = 1;

/**
 * Selects the endpoints of a project whose oldest delivery has been due for too long, of the first ones with deliveries that wait: one
 * entry of an index for each. Of those with an incident, all.
 */
export const selectBacklogs = statement(
  `WITH RECURSIVE target AS (
     (${nextTarget('true')})
     UNION ALL
     SELECT following.* FROM target CROSS JOIN LATERAL (${nextTarget(`${TARGET_ID} > target.id`)}) following
   ), late AS (
     SELECT id FROM (SELECT * FROM target LIMIT ${MAX_SUBJECTS}) t
     WHERE next_attempt_at <= now() - interval '${BACKLOG_MINUTES} minutes'
   )
   SELECT e.id, e.enabled AS is_live, oldest.due_at,
          coalesce(oldest.due_at <= now() - CASE WHEN e.id = ANY($known) THEN interval '${CAUGHT_UP_MINUTES} minutes'
            ELSE interval '${BACKLOG_MINUTES} minutes' END, false) AS is_late
   FROM endpoints e CROSS JOIN LATERAL (
     SELECT (SELECT next_attempt_at FROM deliveries WHERE ${PENDING_BY_TARGET} AND ${TARGET_ID} = e.id AND next_attempt_at <= now()
             ORDER BY next_attempt_at LIMIT 1) AS due_at) oldest
   WHERE e.project_id = $project AND e.deleted_at IS NULL AND e.id = ANY(ARRAY(SELECT id FROM late UNION SELECT unnest($known::uuid[])))`,
  {
    params: CONDITION,
    columns: {
      id: uuid,
      is_live: boolean,
      due_at: nullable(timestamp),
      is_late: nullable(boolean),
    },
    name: 'alert-backlogs',
  },
);

/** The newest requests of a source of which one may have been accepted. */
const NEWEST_REQUESTS = 1_000;
/** A source stores a bounded number of refused requests in an hour: without any for this long, the sender has stopped. */
const SILENT_MINUTES = 70;

const REJECTING_SINCE = `now() - interval '${REJECTING_MINUTES} minutes'`;

const rejectedSince = (minutes: number) => `
  SELECT FROM incoming_events r WHERE r.source_id = s.id AND r.verified = false AND r.created_at > now() - interval '${minutes} minutes'`;

/**
 * Selects the sources of a project that refused many requests in the last minutes, if the project did, and those with an incident.
 * `accepted_at` is the last accepted request: of the newest, those are read that were refused since. `is_rejecting`: many refused, and for
 * those with an incident, any.
 */
export const selectRejectingSources = statement(
  `WITH project AS (
     SELECT coalesce(sum(incoming_rejected), 0) >= ${REJECTED_REQUESTS} AS rejects FROM stats
     WHERE project_id = $project AND period = 'MINUTE' AND subject_id = $project
       AND starts_at > now() - interval '${REJECTING_MINUTES + 1} minutes'
   )
   SELECT s.id, s.name, s.enabled AS is_live, newest.accepted_at,
          CASE WHEN s.id = ANY($known) THEN EXISTS (${rejectedSince(SILENT_MINUTES)})
            ELSE (SELECT count(*) FROM (${rejectedSince(REJECTING_MINUTES)} LIMIT ${REJECTED_REQUESTS}) r) = ${REJECTED_REQUESTS}
              AND newest.accepted_at IS NULL END AS is_rejecting
   FROM sources s CROSS JOIN LATERAL (
     SELECT max(found.created_at) AS accepted_at FROM (
       SELECT i.created_at FROM (
         SELECT source_id, id, verified, created_at FROM incoming_events WHERE ${byIndex('source_id', 's.id')}
         ORDER BY incoming_events.source_id DESC, id DESC LIMIT ${NEWEST_REQUESTS}) i
       WHERE i.verified IS DISTINCT FROM false OR i.created_at <= ${REJECTING_SINCE}
       ORDER BY i.source_id DESC, i.id DESC LIMIT 1) found
     WHERE found.created_at > ${REJECTING_SINCE}) newest
   WHERE s.project_id = $project AND s.deleted_at IS NULL AND s.id = ANY(ARRAY(
     SELECT id FROM (SELECT id FROM sources WHERE project_id = $project AND enabled AND deleted_at IS NULL AND provider <> 'NONE'
                     ORDER BY id LIMIT ${MAX_SUBJECTS}) o WHERE (SELECT rejects FROM project)
     UNION SELECT unnest($known::uuid[])))`,
  {
    params: CONDITION,
    columns: {
      id: uuid,
      name: text,
      is_live: boolean,
      accepted_at: nullable(timestamp),
      is_rejecting: nullable(boolean),
    },
    name: 'alert-sources',
  },
);

/** A process may have compared events with the schema before for this long after a change (docs/specification.md#event-types). */
const CHANGE_SECONDS = 10;

/**
 * Selects the types of a project that reports mismatches, of which an event differed within the time after which that is over. `is_new`: in
 * the last minutes, and from the schema that the type has.
 */
export const selectMismatches = statement(
  `SELECT t.id, t.name, t.last_mismatch_at,
          t.last_mismatch_at > greatest(now() - interval '${MISMATCH_MINUTES} minutes', t.updated_at + interval '${CHANGE_SECONDS} seconds') AS is_new
   FROM event_types t
   WHERE t.project_id = $project AND t.last_mismatch_at > now() - interval '${MATCHING_MINUTES} minutes'
     AND (SELECT p.event_type_policy = 'REPORT' FROM projects p WHERE p.id = $project)
   ORDER BY t.id LIMIT ${MAX_SUBJECTS}`,
  {
    params: { project: uuid },
    columns: { id: uuid, name: text, last_mismatch_at: nullable(timestamp), is_new: nullable(boolean) },
    name: 'alert-event-types',
  },
);

const KEY_END = 'least(k.expires_at, k.grace_ends_at)';

/** Selects the keys of a project that expire soon, without those that were rotated. */
export const selectExpiringKeys = statement(
  `SELECT k.id, k.name, k.hint, k.expires_at FROM api_keys k
   WHERE k.project_id = $project AND k.revoked_at IS NULL AND k.rotated_at IS NULL
     AND ${KEY_END} > now() AND ${KEY_END} <= now() + interval '${EXPIRING_DAYS} days'
   ORDER BY ${KEY_END} LIMIT ${MAX_SUBJECTS}`,
  {
    params: { project: uuid },
    columns: { id: uuid, name: text, hint: text, expires_at: nullable(timestamp) },
    name: 'alert-keys',
  },
);

/** Selects what a message says of each of some endpoints of a project, besides what happened to it. */
export const selectEndpointNames = statement(
  `SELECT e.id, e.url, e.customer_id, (SELECT c.uid FROM customers c WHERE c.id = e.customer_id) AS customer_uid
   FROM endpoints e WHERE e.project_id = $project AND e.id = ANY($endpoints)`,
  {
    params: { project: uuid, endpoints: uuids },
    columns: { id: uuid, url: text, customer_id: nullable(uuid), customer_uid: nullable(text) },
  },
);

/** The newest deliveries of an endpoint that are searched for its last error. */
const MAX_SEARCHED = 200;

/** Selects the last error of each of some endpoints of a project, and the type of the event. */
export const selectLastErrors = statement(
  `SELECT t.endpoint_id, d.id AS delivery_id, d.last_error, d.last_response_status, v.type AS event_type
   FROM unnest($endpoints::uuid[]) t (endpoint_id)
   CROSS JOIN LATERAL (
     SELECT n.* FROM (
       SELECT id, event_id, last_error, last_response_status, last_attempt_at FROM deliveries
       WHERE ${byIndex('endpoint_id', 't.endpoint_id')} AND project_id = $project
       ORDER BY deliveries.endpoint_id DESC, id DESC LIMIT ${MAX_SEARCHED}) n
     WHERE n.last_error IS NOT NULL ORDER BY n.last_attempt_at DESC NULLS LAST LIMIT 1) d
   LEFT JOIN events v ON v.id = d.event_id AND v.project_id = $project`,
  {
    params: { project: uuid, endpoints: uuids },
    columns: {
      endpoint_id: nullable(uuid),
      delivery_id: uuid,
      last_error: nullable(text),
      last_response_status: nullable(integer),
      event_type: nullable(text),
    },
  },
);
