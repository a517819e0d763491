import {
  binaryTexts,
  boolean,
  bytes,
  enumOf,
  enumsOf,
  integer,
  jsonOf,
  nullable,
  text,
  texts,
  timestamp,
  uuid,
  uuids,
  withNulls,
} from '@/lib/platform/sql/column';
import { nowIf, nowOr } from '@/lib/platform/sql/now';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import type { AlertKind, AlertMessageKind, AlertMessageStatus } from './schema';
import { type AlertTrigger, MAX_HELD } from './triggers-policy';

const kind = enumOf<AlertMessageKind>('AlertMessageKind');
const status = enumOf<AlertMessageStatus>('AlertMessageStatus');
const trigger = enumOf<AlertTrigger>('AlertTrigger');
const data = jsonOf<Record<string, unknown>>();

const SHOWN = 'id, kind, trigger, text, data, status, attempts, response_status, error, created_at, sent_at';
const COLUMNS = {
  id: uuid,
  kind,
  trigger: nullable(trigger),
  text,
  data,
  status,
  attempts: integer,
  response_status: nullable(integer),
  error: nullable(text),
  created_at: timestamp,
  sent_at: nullable(timestamp),
};
export type MessageRow = RowOf<typeof COLUMNS>;

/** Selects a page of the messages of an alert, newest first. */
export const selectMessages = statement(
  `SELECT ${SHOWN} FROM alert_messages
   WHERE project_id = $project AND (alert_id, id) < ($alert, $before) AND alert_id = $alert
   ORDER BY alert_id DESC, id DESC LIMIT $limit::int`,
  { params: { project: uuid, alert: uuid, before: uuid, limit: integer }, columns: COLUMNS },
);

const WRITTEN = {
  project: uuid,
  alert: uuid,
  owner: uuid,
  ids: uuids,
  kinds: enumsOf<AlertMessageKind>('AlertMessageKind'),
  triggers: withNulls(enumsOf<AlertTrigger>('AlertTrigger')),
  texts: binaryTexts,
  data: binaryTexts,
};
const WRITTEN_ARRAYS =
  '$ids::uuid[], $kinds::"AlertMessageKind"[], $triggers::"AlertTrigger"[], $texts::text[], $data::text[]';

/** Stores messages. A SENT one is with the queue of mails, and `refusal` says why one is FAILED. */
export const insertMessages = statement(
  `INSERT INTO alert_messages (id, project_id, alert_id, owner_id, kind, trigger, text, data, status, attempts, sent_at, error)
   SELECT m.id, $project, $alert, $owner, m.kind, m.trigger, m.text, m.data::jsonb, m.status,
          CASE WHEN m.status = 'SENT' THEN 1 ELSE 0 END, ${nowIf("m.status = 'SENT'")},
          CASE WHEN m.status = 'FAILED' THEN $refusal::text END
   FROM unnest(${WRITTEN_ARRAYS}, $statuses::"AlertMessageStatus"[]) m (id, kind, trigger, text, data, status)
   RETURNING ${SHOWN}`,
  {
    params: { ...WRITTEN, statuses: enumsOf<AlertMessageStatus>('AlertMessageStatus'), refusal: text },
    columns: COLUMNS,
  },
);

/** Stores messages that wait for a digest. */
export const insertHeldMessages = statement(
  `INSERT INTO alert_messages (id, project_id, alert_id, owner_id, kind, trigger, text, data, status, attempts)
   SELECT m.id, $project, $alert, $owner, m.kind, m.trigger, m.text, m.data::jsonb, 'HELD', 0
   FROM unnest(${WRITTEN_ARRAYS}) m (id, kind, trigger, text, data)`,
  { params: WRITTEN },
);

/** Finds whether a person has proven their address. */
export const findVerification = statement(
  'SELECT email_verified_at IS NOT NULL AS is_verified FROM users WHERE id = $user',
  { params: { user: uuid }, columns: { is_verified: nullable(boolean) } },
);

/** Counts messages to the hour of an alert, and notes when one was sent. `starts`: a new hour begins. */
export const countMessages = statement(
  `UPDATE alerts SET hour_started_at = ${nowOr('hour_started_at', '$starts::boolean')},
          hour_count = CASE WHEN $starts::boolean THEN 0 ELSE hour_count END + $count::int,
          last_sent_at = ${nowOr('last_sent_at', '$isSent::boolean')}
   WHERE project_id = $project AND id = $alert`,
  {
    params: {
      starts: boolean,
      count: integer,
      isSent: boolean,
      project: uuid,
      alert: uuid,
    },
  },
);

const IS_OVER = `(hour_started_at > now() - interval '1 hour') IS NOT TRUE`;

/** Takes a place in the hour of an alert. Returns no row when it has as many messages as it may. */
export const takePlace = statement(
  `UPDATE alerts SET hour_count = (ARRAY[hour_count, 0])[1 + (${IS_OVER})::int] + 1, hour_started_at = ${nowOr('hour_started_at', IS_OVER)}
   WHERE project_id = $project AND id = $alert AND (hour_count < $most::int OR ${IS_OVER})
   RETURNING id`,
  { params: { project: uuid, alert: uuid, most: integer }, columns: { id: uuid } },
);

/** Selects how many seconds of the hour of an alert are left. */
export const selectHourLeft = statement(
  `SELECT ceil(extract(epoch FROM hour_started_at + interval '1 hour' - now()))::int AS seconds FROM alerts
   WHERE project_id = $project AND id = $alert`,
  { params: { project: uuid, alert: uuid }, columns: { seconds: nullable(integer) } },
);

/** Counts the held messages of an alert, up to the number that it may have. */
export const countHeld = statement(
  `SELECT count(*)::int AS held FROM (
     SELECT FROM alert_messages WHERE project_id = $project AND alert_id = $alert AND status = 'HELD' LIMIT ${MAX_HELD}) h`,
  { params: { project: uuid, alert: uuid }, columns: { held: nullable(integer) }, name: 'count-held-messages' },
);

/** Removes the held messages of an alert for its digest: how many, and the texts of the first. */
export const takeHeld = statement(
  `WITH held AS (
     DELETE FROM alert_messages WHERE project_id = $project AND alert_id = $alert AND status = 'HELD' RETURNING id, text
   )
   SELECT (SELECT count(*)::int FROM held) AS count,
          ARRAY(SELECT text FROM held ORDER BY id LIMIT $most::int) AS texts`,
  {
    params: { project: uuid, alert: uuid, most: integer },
    columns: { count: nullable(integer), texts: nullable(texts) },
    name: 'take-held-messages',
  },
);

/** Finds whether messages of an alert wait for its digest, and whether some are too old. */
export const findKept = statement(
  `SELECT EXISTS (SELECT FROM alert_messages WHERE project_id = $project AND alert_id = $alert AND status = 'HELD') AS has_held,
          EXISTS (SELECT FROM alert_messages WHERE project_id = $project AND alert_id = $alert AND status IN ('SENT', 'FAILED')
                    AND created_at < now() - interval '30 days') AS has_old`,
  {
    params: { project: uuid, alert: uuid },
    columns: { has_held: nullable(boolean), has_old: nullable(boolean) },
    name: 'find-kept-messages',
  },
);

/** Messages that are kept of an alert, besides those that wait. */
const MAX_KEPT = 100;
const ENDED = `project_id = $project AND alert_id = $alert AND status IN ('SENT', 'FAILED')`;

/** Deletes the oldest messages of an alert beyond the number that is kept, and those of more than 30 days. */
export const deleteOldMessages = statement(
  `DELETE FROM alert_messages WHERE ${ENDED} AND (created_at < now() - interval '30 days' OR id < (
     SELECT id FROM alert_messages WHERE ${ENDED} ORDER BY id DESC OFFSET ${MAX_KEPT - 1} LIMIT 1))`,
  { params: { project: uuid, alert: uuid }, name: 'delete-old-messages' },
);

/** The time that a worker has for a message: longer than an attempt, which is sent again when the worker dies. */
const LEASE_SECONDS = 60;

const OWNER = 'coalesce(owner_id, project_id)';
/** Owners that one statement looks at: an entry of an index for each. */
const MAX_OWNERS = 10_000;
const nextOwner = (after: string) =>
  `SELECT ${OWNER} AS id FROM alert_messages WHERE status = 'PENDING' AND ${OWNER} > ${after} ORDER BY ${OWNER} LIMIT 1`;

/** Counts the messages to URLs of all alerts of an owner that wait, up to a number. */
export const countWaiting = statement(
  `SELECT count(*)::int AS waiting FROM (
     SELECT FROM alert_messages WHERE status = 'PENDING' AND ${OWNER} = $owner LIMIT $most::int) w`,
  { params: { owner: uuid, most: integer }, columns: { waiting: nullable(integer) } },
);

/**
 * Selects due messages of webhooks and Slack, the one of each owner that has been due for longest, of the owners that follow another one
 * by id, without `$busy` ones.
 */
export const selectDueMessages = statement(
  `WITH RECURSIVE owner AS (
     SELECT id, 1 AS nth FROM (${nextOwner('$after::uuid')}) first
     UNION ALL
     SELECT following.id, nth + 1 FROM owner CROSS JOIN LATERAL (${nextOwner('owner.id')}) following WHERE nth < ${MAX_OWNERS}
   )
   SELECT oldest.id, owner.id AS owner_id FROM owner CROSS JOIN LATERAL (
     SELECT m.id, m.available_at FROM alert_messages m WHERE m.status = 'PENDING' AND ${OWNER} = owner.id
     ORDER BY ${OWNER}, m.available_at, m.id LIMIT 1) oldest
   WHERE oldest.available_at <= now() AND owner.id <> ALL($busy::uuid[]) ORDER BY owner.id LIMIT $most::int`,
  { params: { after: uuid, busy: uuids, most: integer }, columns: { id: uuid, owner_id: nullable(uuid) } },
);

/**
 * Leases some messages, if they are still due. `is_silent`: it is not to be sent, and due when its alert is not muted anymore. Muted and
 * disabled alerts only send tests, and those of deleted projects nothing.
 */
export const leaseMessages = statement(
  `WITH chosen AS (
     SELECT * FROM (
       SELECT m.id, coalesce(p.deleted_at, o.deleted_at) IS NOT NULL
                OR m.kind <> 'TEST' AND (NOT a.enabled OR coalesce(a.muted_until > now(), false)) AS is_silent,
              CASE WHEN a.previous_secret_expires_at > now() THEN a.previous_secret_encrypted END AS previous_secret_encrypted
       FROM alert_messages m JOIN alerts a ON a.id = m.alert_id JOIN projects p ON p.id = a.project_id
       JOIN organizations o ON o.id = p.organization_id
       WHERE m.id = ANY($messages) AND m.status = 'PENDING' AND m.available_at <= now() FOR UPDATE OF m SKIP LOCKED) c
   )
   UPDATE alert_messages m
   SET available_at = greatest((ARRAY[now() + interval '${LEASE_SECONDS} seconds', now() + interval '1 hour'])[CASE WHEN is_silent THEN 2 ELSE 1 END],
         CASE WHEN is_silent THEN a.muted_until END),
       attempts = m.attempts + CASE WHEN is_silent THEN 0 ELSE 1 END
   FROM chosen, alerts a
   WHERE m.id = chosen.id AND a.id = m.alert_id
   RETURNING m.id, m.project_id, m.alert_id, coalesce(m.owner_id, m.project_id) AS owner_id, a.kind AS alert_kind, m.kind, m.trigger,
             m.text, m.data, m.attempts, m.created_at, a.target_encrypted, a.secret_encrypted, is_silent,
             chosen.previous_secret_encrypted`,
  {
    params: { messages: uuids },
    columns: {
      id: uuid,
      project_id: uuid,
      alert_id: uuid,
      owner_id: uuid,
      alert_kind: enumOf<AlertKind>('AlertKind'),
      kind,
      trigger: nullable(trigger),
      text,
      data,
      attempts: integer,
      created_at: timestamp,
      target_encrypted: nullable(bytes),
      secret_encrypted: nullable(bytes),
      is_silent: nullable(boolean),
      previous_secret_encrypted: nullable(bytes),
    },
  },
);
export type LeasedMessage = RowOf<typeof leaseMessages.columns>;

/** Makes the messages of an alert due that wait for its end of being muted. */
export const wakeMessages = statement(
  `UPDATE alert_messages SET available_at = now()
   WHERE project_id = $project AND alert_id = $alert AND status = 'PENDING' AND attempts = 0`,
  { params: { project: uuid, alert: uuid } },
);

/** Records that a message was sent. */
export const recordSent = statement(
  `WITH sent AS (
     UPDATE alert_messages SET status = 'SENT', sent_at = now(), response_status = $responseStatus, error = NULL
     WHERE id = $message RETURNING alert_id
   )
   UPDATE alerts SET last_sent_at = now() WHERE id = (SELECT alert_id FROM sent)`,
  { params: { message: uuid, responseStatus: nullable(integer) } },
);

/** Records a failure of a message, which is sent again after some seconds; null gives it up. */
export const recordFailure = statement(
  `UPDATE alert_messages SET status = CASE WHEN $retrySeconds::int IS NULL THEN 'FAILED' ELSE 'PENDING' END::"AlertMessageStatus",
          available_at = now() + make_interval(secs => coalesce($retrySeconds, 0)),
          response_status = $responseStatus, error = $error
   WHERE id = $message`,
  {
    params: {
      retrySeconds: nullable(integer),
      responseStatus: nullable(integer),
      error: nullable(text),
      message: uuid,
    },
  },
);

/** Returns leased messages that were not sent: another worker sends them at once. */
export const releaseMessages = statement(
  `UPDATE alert_messages SET available_at = now(), attempts = attempts - 1 WHERE id = ANY($messages) AND status = 'PENDING'`,
  { params: { messages: uuids } },
);
