import { HIGHEST_ID, LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import {
  boolean,
  bytes,
  enumOf,
  enumsOf,
  float,
  integer,
  jsonOf,
  nullable,
  text,
  timestamp,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import type { AlertKind } from './schema';
import { type AlertTrigger, FAILURE_HOURS, MAX_INCIDENTS } from './triggers-policy';

const trigger = enumOf<AlertTrigger>('AlertTrigger');
const kind = enumOf<AlertKind>('AlertKind');

const SHOWN = `SELECT a.id, a.name, a.kind, a.user_id, a.target_encrypted, a.triggers, a.enabled, a.disabled_reason,
          a.muted_until, a.last_sent_at, a.fired_at, a.created_at, a.updated_at
   FROM alerts a WHERE a.project_id = $project`;
const COLUMNS = {
  id: uuid,
  name: text,
  kind,
  user_id: nullable(uuid),
  target_encrypted: nullable(bytes),
  triggers: nullable(enumsOf<AlertTrigger>('AlertTrigger')),
  enabled: boolean,
  disabled_reason: nullable(text),
  muted_until: nullable(timestamp),
  last_sent_at: nullable(timestamp),
  /** When each trigger fired last. */
  fired_at: jsonOf<Partial<Record<AlertTrigger, string>>>(),
  created_at: timestamp,
  updated_at: timestamp,
};
export type AlertRow = RowOf<typeof COLUMNS>;

/** Selects a page of the alerts of a project, newest first. */
export const selectAlerts = statement(`${SHOWN} AND a.id < $before ORDER BY a.id DESC LIMIT $limit::int`, {
  params: { project: uuid, before: uuid, limit: integer },
  columns: COLUMNS,
});

export const findAlert = statement(`${SHOWN} AND a.id = $alert`, {
  params: { project: uuid, alert: uuid },
  columns: COLUMNS,
});

/** Finds the addresses of those of some people who are members of the organization of a project. */
export const selectAddresses = statement(
  `SELECT m.user_id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
   WHERE m.user_id = ANY($users) AND u.erased_at IS NULL
     AND m.organization_id = (SELECT p.organization_id FROM projects p WHERE p.id = $project)`,
  { params: { users: uuids, project: uuid }, columns: { user_id: uuid, email: text }, name: 'alert-addresses' },
);

/** Finds the member of a project's organization with an address. */
export const findMemberByAddress = statement(
  `SELECT u.id FROM users u JOIN memberships m ON m.user_id = u.id JOIN projects p ON p.organization_id = m.organization_id
   WHERE p.id = $project AND u.email = $email`,
  { params: { project: uuid, email: text }, columns: { id: uuid } },
);

/** Ends what goes on for an alert, and forgets what was not sent. */
export const forgetIncidents = [
  statement('DELETE FROM alert_incidents WHERE project_id = $project AND alert_id = $alert', {
    params: { project: uuid, alert: uuid },
  }),
  statement(
    `DELETE FROM alert_messages WHERE project_id = $project AND alert_id = $alert AND status IN ('HELD', 'PENDING') AND kind <> 'TEST'`,
    { params: { project: uuid, alert: uuid } },
  ),
];

/** Gives an alert a new secret, and keeps the previous one until `expiresAt`. One statement: two rotations at once keep both. */
export const replaceAlertSecret = statement(
  `UPDATE alerts SET previous_secret_encrypted = secret_encrypted, previous_secret_expires_at = $expiresAt,
          secret_encrypted = $secret, updated_at = now()
   WHERE id = $alert AND project_id = $project AND kind = 'WEBHOOK'`,
  { params: { expiresAt: timestamp, secret: bytes, alert: uuid, project: uuid } },
);

/** Due alerts that are sorted for each check. */
const MAX_DUE = 500;
/** Due alerts of one owner, as other workers may hold the first ones, and of all owners, when more are due. */
const OF_OWNER = 5;
const OF_OWNERS = 20;
/** Of those that come first, so many may be locked by other workers. */
const MAX_LOCKED = 50;

/** Selects due alerts of the owners that follow one, if many are due: an entry of an index for each owner, however many alerts they have. */
const dueAfter = (name: string, owner: string) => `
  ${name} AS (
    SELECT * FROM (SELECT owner_id FROM alerts WHERE enabled AND owner_id > ${owner} AND (SELECT count(*) FROM oldest) = ${MAX_DUE}
                   ORDER BY owner_id LIMIT 1) first
    UNION ALL
    SELECT following.owner_id FROM ${name} CROSS JOIN LATERAL (
      SELECT owner_id FROM alerts WHERE enabled AND owner_id > ${name}.owner_id ORDER BY owner_id LIMIT 1) following
  )`;
const dueOf = (name: string) => `
  (SELECT due.* FROM ${name} CROSS JOIN LATERAL (
     SELECT id, owner_id, next_check_at FROM alerts
     WHERE enabled AND owner_id = ${name}.owner_id AND owner_id <> ALL($resting) AND next_check_at <= now()
     ORDER BY next_check_at LIMIT ${OF_OWNER}) due
   LIMIT ${OF_OWNERS})`;

/** Alerts that a worker takes at once. */
const MAX_TAKEN = 20;

/**
 * Selects due alerts, as they are to be taken: one of each owner before the second of any, beginning with the owners that follow another
 * one by id. More than a worker takes: others may hold the first. Owners that rest have no turn.
 */
export const selectDueAlerts = statement(
  `WITH RECURSIVE oldest AS (
     SELECT id, owner_id, next_check_at FROM alerts WHERE enabled AND next_check_at <= now() ORDER BY next_check_at LIMIT ${MAX_DUE}
   ), ${dueAfter('later', `coalesce($after, '${LOWEST_ID}'::uuid)`)}, ${dueAfter('earlier', `'${LOWEST_ID}'::uuid`)},
   ranked AS (
     SELECT id, owner_id, row_number() OVER (PARTITION BY owner_id ORDER BY next_check_at) AS nth
     FROM (SELECT * FROM oldest UNION ${dueOf('later')} UNION ${dueOf('earlier')}) due
   )
   SELECT id FROM ranked WHERE owner_id <> ALL($resting)
   ORDER BY nth, (owner_id > $after) IS TRUE DESC, owner_id LIMIT ${MAX_LOCKED}`,
  { params: { after: nullable(uuid), resting: uuids }, columns: { id: nullable(uuid) }, name: 'due-alerts' },
);

/** In whole milliseconds, which is all that a Date has. */
const inSeconds = (seconds: string) => `date_trunc('milliseconds', now() + make_interval(secs => ${seconds}))`;

/** Takes the first of some due alerts for their check, and notes when the next one is. Other workers skip them. */
export const takeAlerts = statement(
  `WITH locked AS MATERIALIZED (
     SELECT * FROM (
       SELECT a.id, array_position($alerts::uuid[], a.id) AS place, coalesce(a.muted_until > now(), false) AS is_muted,
              coalesce(a.hour_started_at > now() - interval '1 hour', false) AS is_in_hour
       FROM alerts a
       WHERE a.id = ANY($alerts) AND a.enabled AND a.next_check_at <= now()
       ORDER BY place LIMIT ${MAX_TAKEN} FOR UPDATE OF a SKIP LOCKED) l
   )
   UPDATE alerts a
   SET next_check_at = (ARRAY[${inSeconds('$seconds')}, ${inSeconds('$deletedSeconds')}])[
         CASE WHEN p.deleted_at IS NULL AND o.deleted_at IS NULL THEN 1 ELSE 2 END]
   FROM locked l, projects p, organizations o
   WHERE a.id = l.id AND a.id = ANY(ARRAY(SELECT id FROM locked)) AND p.id = a.project_id AND o.id = p.organization_id
   RETURNING l.place, a.id, a.owner_id, a.project_id, p.name AS project_name, p.organization_id, a.name, a.kind, a.user_id,
             a.triggers, l.is_muted, l.is_in_hour, a.hour_count, p.deleted_at IS NULL AND o.deleted_at IS NULL AS is_live,
             a.next_check_at`,
  {
    params: { alerts: uuids, seconds: float, deletedSeconds: float },
    columns: {
      place: nullable(integer),
      id: uuid,
      owner_id: uuid,
      project_id: uuid,
      project_name: text,
      organization_id: uuid,
      name: text,
      kind,
      user_id: nullable(uuid),
      triggers: nullable(enumsOf<AlertTrigger>('AlertTrigger')),
      is_muted: nullable(boolean),
      is_in_hour: nullable(boolean),
      hour_count: integer,
      is_live: nullable(boolean),
      next_check_at: timestamp,
    },
    name: 'take-alerts',
  },
);
export type DueAlert = RowOf<typeof takeAlerts.columns>;

/** Makes alerts due that were taken and not checked. */
export const releaseAlerts = statement(
  'UPDATE alerts SET next_check_at = now() WHERE id = ANY($alerts) AND next_check_at > now()',
  { params: { alerts: uuids }, name: 'release-alerts' },
);

/** Selects the milliseconds, negative when overdue, until the next check of any alert. */
export const selectNextDue = statement(
  `SELECT extract(epoch FROM min(next_check_at) - now())::float8 * 1000 AS in_ms FROM alerts WHERE enabled`,
  { columns: { in_ms: nullable(float) }, name: 'next-due-alert' },
);

/** Locks an alert for its check, unless another worker has begun a later one. `next` is when that is due. */
export const lockAlert = statement(
  'SELECT FROM alerts WHERE id = $alert AND enabled AND next_check_at = $next FOR UPDATE',
  { params: { alert: uuid, next: timestamp }, name: 'lock-alert' },
);

/** Disables an alert whose person is not a member. */
export const disableAlert = statement(
  `UPDATE alerts SET enabled = false, disabled_reason = 'member_left', updated_at = now() WHERE project_id = $project AND id = $alert`,
  { params: { project: uuid, alert: uuid } },
);

/** The incidents of an alert and a trigger, by the index of both: no more than an alert may have. Their order is that of the index. */
const ofTrigger = (columns: string, name: string) => `
  SELECT ${columns} FROM alert_incidents i
  WHERE i.project_id = $project AND (i.alert_id, i.trigger, i.subject_id) >= ($alert, ${name}, '${LOWEST_ID}')
    AND (i.alert_id, i.trigger, i.subject_id) <= ($alert, ${name}, '${HIGHEST_ID}')
  ORDER BY i.alert_id, i.trigger, i.subject_id LIMIT ${MAX_INCIDENTS}`;

/**
 * Selects the open incidents of an alert for some triggers. `is_old`: it began more than FAILURE_HOURS ago. Once the alert forgets such an
 * endpoint, it notices it again only after another failure.
 */
export const selectIncidents = statement(
  `SELECT known.*, known.began_at < now() - interval '${FAILURE_HOURS} hours' AS is_old
   FROM unnest($triggers::"AlertTrigger"[]) t (name)
   CROSS JOIN LATERAL (${ofTrigger('i.id, i.trigger, i.subject_id, i.began_at', 't.name')}) known`,
  {
    params: { project: uuid, alert: uuid, triggers: enumsOf<AlertTrigger>('AlertTrigger') },
    columns: { id: uuid, trigger, subject_id: uuid, began_at: timestamp, is_old: nullable(boolean) },
    name: 'alert-incidents',
  },
);
export type Incident = RowOf<typeof selectIncidents.columns>;

/**
 * Inserts incidents, in the given order, until each trigger has MAX_INCIDENTS. Returns those that were inserted. The caller has locked the
 * alert.
 */
export const insertIncidents = statement(
  `WITH room AS MATERIALIZED (
     SELECT t.name, ${MAX_INCIDENTS} - (SELECT count(*) FROM (${ofTrigger('', 't.name')}) known) AS places
     FROM (SELECT DISTINCT unnest($triggers::"AlertTrigger"[]) AS name) t
   ), begun AS (
     SELECT n.*, row_number() OVER (PARTITION BY n.trigger ORDER BY n.nth) AS place
     FROM unnest($ids::uuid[], $triggers::"AlertTrigger"[], $subjects::uuid[]) WITH ORDINALITY n (id, trigger, subject_id, nth)
   )
   INSERT INTO alert_incidents (id, project_id, alert_id, trigger, subject_id)
   SELECT b.id, $project, $alert, b.trigger, b.subject_id FROM begun b JOIN room ON room.name = b.trigger WHERE b.place <= room.places
   ON CONFLICT (alert_id, trigger, subject_id) DO NOTHING
   RETURNING trigger, subject_id`,
  {
    columns: { trigger, subject_id: uuid },
    params: {
      project: uuid,
      alert: uuid,
      ids: uuids,
      triggers: enumsOf<AlertTrigger>('AlertTrigger'),
      subjects: uuids,
    },
  },
);

export const deleteIncidents = statement('DELETE FROM alert_incidents WHERE project_id = $project AND id = ANY($ids)', {
  params: { project: uuid, ids: uuids },
});

/** Notes when triggers fired: `fired` is JSON, each with the time of this transaction. */
export const noteFired = statement(
  `UPDATE alerts SET fired_at = fired_at || (SELECT jsonb_object_agg(t, to_char(now()::timestamptz(3) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
     FROM unnest($triggers::"AlertTrigger"[]) t)
   WHERE project_id = $project AND id = $alert`,
  { params: { triggers: enumsOf<AlertTrigger>('AlertTrigger'), project: uuid, alert: uuid } },
);
