import type { Role } from '@/lib/audit/types';
import { TENANT_SQL } from '@/lib/orgs/orgs-sql';
import { cellChannelSql } from '@/lib/platform/cells/cell-channel';
import { byIndex } from '@/lib/platform/sql/bounded-scan';
import { boolean, enumOf, text, texts, uuid, uuids } from '@/lib/platform/sql/column';
import { type Statement, statement } from '@/lib/platform/sql/statement';

const BATCH_ROWS = 1_000;
/** Entries of the audit log that a batch looks at: other requests of the process wait for its connection. */
export const SCRUBBED_ROWS = 1_000;
/** Bytes of the bodies that a batch deletes or copies, and one more body: that many rows of small ones. */
export const BATCH_BYTES = BATCH_ROWS * 512 * 1024;

/**
 * The tables of a project, in the order in which they are emptied. A replay or fan-out in progress holds its row, so once
 * those are deleted, no further delivery can be added. Deleting an event cascades to its deliveries but not to their attempts,
 * so deliveries go first, with their attempts. Then follow the tables that others refer to.
 */
export const PROJECT_TABLES = [
  'alert_messages',
  'alert_incidents',
  'alerts',
  'incoming_event_replays',
  'bulk_retries',
  'event_replays',
  'outbox',
  'deliveries',
  'events',
  'event_types',
  'incoming_events',
  'subscriptions',
  'endpoints',
  'portal_sessions',
  'customers',
  'destinations',
  'sources',
  'tunnels',
  'tunnel_request_log',
  'api_keys',
  'portal_logos',
  'stats',
  'stored_bytes',
] as const;
export type ProjectTable = (typeof PROJECT_TABLES)[number];

/** Those whose rows are deleted by id, without anything else. */
type PlainTable = Exclude<ProjectTable, 'deliveries' | 'stats' | 'stored_bytes'>;
const PLAIN_TABLES = PROJECT_TABLES.filter(
  (table): table is PlainTable => !['deliveries', 'stats', 'stored_bytes'].includes(table),
);

const ABOVE = { project: uuid, above: uuid };

const byTable = <Table extends string, T>(tables: readonly Table[], make: (table: Table) => T) =>
  Object.fromEntries(tables.map((table) => [table, make(table)])) as Readonly<Record<Table, T>>;

/** Whether a batch waits for locked rows: in the outbox, because a fan-out must have ended before the next table is emptied. */
const waits = (table: PlainTable) => table === 'outbox';

const nextRows = (columns: string, table: PlainTable) =>
  `SELECT ${columns} FROM ${table} WHERE project_id = $project AND id > $above ORDER BY id LIMIT ${BATCH_ROWS}`;

/** Selects the ids of a batch: fewer of large incoming events, whose deletion would exceed the time of a statement. */
const batchOf = (table: PlainTable) =>
  table === 'incoming_events'
    ? `SELECT id FROM incoming_events WHERE project_id = $project AND id = ANY(ARRAY(
         SELECT id FROM (SELECT id, sum(size) OVER (ORDER BY id) - size AS bytes_before FROM (${nextRows('id, size', table)}) n) sized
         WHERE bytes_before < ${BATCH_BYTES})) ORDER BY id`
    : nextRows('id', table);

/**
 * Deletes a batch of rows of a project above an id, and returns the highest id of the batch. Most skip locked rows: a
 * worker that holds some rows and needs others could deadlock with this.
 */
export const deleteBatch: Readonly<Record<PlainTable, Statement<{ id: typeof uuid }, typeof ABOVE>>> = byTable(
  PLAIN_TABLES,
  (table) =>
    statement(
      `
    WITH batch AS MATERIALIZED (
      ${batchOf(table)}
      FOR UPDATE ${waits(table) ? '' : 'SKIP LOCKED'}
    ), gone AS (DELETE FROM ${table} WHERE project_id = $project AND id = ANY(ARRAY(SELECT id FROM batch)))
    SELECT id FROM batch ORDER BY id DESC LIMIT 1`,
      { params: ABOVE, columns: { id: uuid } },
    ),
);

/** Deletes a batch of deliveries of a project above an id. */
export const deleteDeliveries = statement(
  `DELETE FROM deliveries WHERE project_id = $project AND id = ANY(ARRAY(
     SELECT id FROM deliveries WHERE project_id = $project AND id > $above ORDER BY id LIMIT ${BATCH_ROWS}
     FOR UPDATE SKIP LOCKED))
   RETURNING id`,
  { params: ABOVE, columns: { id: uuid } },
);

/**
 * Deletes the attempts of deliveries. The subquery hides the array from the planner, which would estimate each of a
 * thousand ids for every partition (400 ms).
 */
export const deleteAttempts = statement(
  'DELETE FROM delivery_attempts WHERE delivery_id = ANY(ARRAY(SELECT unnest($deliveries::uuid[])))',
  { params: { deliveries: uuids } },
);

/** Keeps others from adding rows that refer to a project until the end of the transaction. */
export const lockProject = statement('SELECT FROM projects WHERE id = $project FOR UPDATE', {
  params: { project: uuid },
});

/** Deletes a batch of the statistics of a project. */
export const deleteStats = statement(
  `DELETE FROM stats WHERE project_id = $project AND ctid = ANY(ARRAY(
     SELECT ctid FROM stats WHERE project_id = $project LIMIT ${BATCH_ROWS} FOR UPDATE))`,
  { params: { project: uuid } },
);

/** Deletes what is known of the bytes of a project: a row for each day. */
export const deleteStoredBytes = statement('DELETE FROM stored_bytes WHERE project_id = $project', {
  params: { project: uuid },
});

/** Returns a row if a project has any in the table. */
export const findRemaining = byTable(PROJECT_TABLES, (table) =>
  statement(`SELECT FROM ${table} WHERE project_id = $project LIMIT 1`, { params: { project: uuid } }),
);

/** The event type is what the audit log shows as the name of a subscription. */
const TARGET_NAMES = `ARRAY['targetName', 'eventType']`;

/**
 * Removes the names of targets, and the values of changes, from a batch of the audit log of an organization above an entry, and returns
 * the highest id of the batch. The fields that were changed stay. The transaction must allow scrubbing.
 */
export const scrubTargetNames = statement(
  `
  WITH batch AS MATERIALIZED (
    SELECT id, details ?| ${TARGET_NAMES} OR details @? '$.changes.*.to' AS is_named FROM audit_log
    WHERE ${byIndex('organization_id', '$organization')} AND id > $above ORDER BY organization_id, id LIMIT ${SCRUBBED_ROWS}
  ), scrubbed AS (
    UPDATE audit_log SET details = details - ${TARGET_NAMES} || coalesce((
      SELECT jsonb_build_object('changes', jsonb_object_agg(field, '{}'::jsonb)) FROM jsonb_object_keys(details -> 'changes') field
      HAVING count(*) > 0), '{}')
    WHERE id = ANY(ARRAY(SELECT id FROM batch WHERE is_named))
  )
  SELECT id FROM batch ORDER BY id DESC LIMIT 1`,
  { params: { organization: uuid, above: uuid }, columns: { id: uuid } },
);

/** Returns a row if a project or its organization is deleted. */
export const findDeletedProject = statement(
  `SELECT FROM projects p JOIN organizations o ON o.id = p.organization_id
   WHERE p.id = $project AND (p.deleted_at IS NOT NULL OR o.deleted_at IS NOT NULL)`,
  { params: { project: uuid } },
);

export const deleteProject = statement('DELETE FROM projects WHERE id = $project', { params: { project: uuid } });

/** Selects all projects of an organization. */
export const selectProjects = statement('SELECT id FROM projects WHERE organization_id = $organization', {
  params: { organization: uuid },
  columns: { id: uuid },
});

/** Deletes the row of an organization if it is deleted and has no projects. */
export const deleteOrganization = statement(
  `DELETE FROM organizations o WHERE o.id = $organization AND o.deleted_at IS NOT NULL
     AND NOT EXISTS (SELECT FROM projects p WHERE p.organization_id = o.id)`,
  { params: { organization: uuid } },
);

/** Returns a row while an organization is deleted and its row remains. */
export const findDeletedOrganization = statement(
  'SELECT FROM organizations WHERE id = $organization AND deleted_at IS NOT NULL',
  { params: { organization: uuid } },
);

/** Makes a worker finish erasures at once. Without it, workers poll within a minute. */
export const wakeErasure = statement(`SELECT pg_notify('eds_erasure', '')`);

export const MAX_PROJECTS = 100;

const nextDeleted = (organization: string) =>
  `SELECT organization_id FROM projects WHERE deleted_at IS NOT NULL AND ${organization} ORDER BY organization_id LIMIT 1`;

/**
 * Selects projects that are deleted, alone or with their organization, and not removed yet: one of each tenant before the second of
 * any, in a random order, so that no large ones keep the others waiting. It looks at a bounded number of each organization.
 */
export const selectDeletedProjects = statement(
  `
  WITH RECURSIVE organization AS (
    (${nextDeleted('true')})
    UNION ALL
    SELECT (${nextDeleted('organization_id > x.organization_id')}) FROM organization x WHERE x.organization_id IS NOT NULL
  ), owned AS MATERIALIZED (
    SELECT o.id, o.deleted_at IS NOT NULL AS is_deleted, ${TENANT_SQL} AS tenant_id FROM organizations o
    WHERE o.id IN (SELECT organization_id FROM organization UNION SELECT id FROM organizations WHERE deleted_at IS NOT NULL)
  )
  SELECT d.id FROM owned CROSS JOIN LATERAL (
    (SELECT id FROM projects WHERE ${byIndex('organization_id', 'owned.id')} AND deleted_at IS NOT NULL AND NOT owned.is_deleted
     ORDER BY organization_id, id LIMIT ${MAX_PROJECTS})
    UNION ALL (SELECT id FROM projects WHERE organization_id = owned.id AND owned.is_deleted LIMIT ${MAX_PROJECTS})) d
  ORDER BY row_number() OVER (PARTITION BY owned.tenant_id ORDER BY d.id), random() LIMIT ${MAX_PROJECTS}`,
  { columns: { id: uuid } },
);

/** Selects deleted organizations whose projects have been removed. */
export const selectDeletedOrganizations = statement(
  `
  SELECT o.id FROM organizations o WHERE o.deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM projects p WHERE p.organization_id = o.id) ORDER BY o.id LIMIT 1000`,
  { columns: { id: uuid } },
);

export const MAX_PEOPLE = 100;

/**
 * Selects erased people whose last sweep is due. It is the last one when every request that was authorized before the erasure has ended:
 * within 30 seconds (lib/platform/database-limits.ts).
 */
export const selectUnswept = statement(
  `SELECT id, erased_at < now() - interval '3 minutes' AS is_last FROM users
   WHERE erased_at IS NOT NULL AND swept_at IS NULL ORDER BY erased_at LIMIT ${MAX_PEOPLE}`,
  { columns: { id: uuid, is_last: boolean } },
);

export const markSwept = statement('UPDATE users SET swept_at = now() WHERE id = ANY($users)', {
  params: { users: uuids },
});

/**
 * Deletes the last mail to an erased person when it could not be sent: retention keeps dead rows for months. The index on
 * dead rows is small.
 */
export const deleteDeadMails = statement(`
  DELETE FROM mails m USING users u
  WHERE m.status = 'DEAD' AND u.id = m.user_id AND u.erased_at IS NOT NULL`);

/** Locks an account, unless it is erased. */
export const lockAccount = statement(
  `SELECT email, email_verified_at IS NOT NULL AS is_proven FROM users
   WHERE id = $user AND erased_at IS NULL FOR UPDATE`,
  { params: { user: uuid }, columns: { email: text, is_proven: boolean } },
);

/** Finds whether a session of a person is still open. */
export const findOpenSession = statement(
  'SELECT 1 FROM sessions WHERE id = $session AND user_id = $user AND closed_at IS NULL',
  { params: { session: uuid, user: uuid } },
);

/**
 * Deletes organizations. The name often identifies a person: another one replaces it until the row is removed. They still
 * count for their owner, who could otherwise store as much again while the rows are removed.
 */
export const markDeleted = statement(
  `UPDATE organizations o SET deleted_at = now(), updated_at = now(), name = $name, deleted_tenant_id = ${TENANT_SQL}
   WHERE id = ANY($organizations::uuid[]) AND deleted_at IS NULL`,
  { params: { organizations: uuids, name: text } },
);

export const deleteMemberships = statement(
  'DELETE FROM memberships WHERE organization_id = ANY($organizations::uuid[])',
  { params: { organizations: uuids } },
);

/** Deletes the mails of invitations to organizations. */
export const deleteInvitationMails = statement(
  'DELETE FROM mails WHERE id IN (SELECT id FROM invitations WHERE organization_id = ANY($organizations::uuid[]))',
  { params: { organizations: uuids } },
);

/** Makes the workers of the cells of organizations read their endpoints again. */
export const wakeDelivery = statement(
  `SELECT pg_notify(${cellChannelSql('eds_delivery', 'cell')}, '')
   FROM (SELECT DISTINCT cell FROM organizations WHERE id = ANY($organizations)) c`,
  { params: { organizations: uuids } },
);

/**
 * Empties an account. The placeholder has no @, so it is not a valid address: nobody can register it, sign in with it,
 * or get mail at it. The row stays because audit entries, keys and invitations refer to its id.
 */
export const emptyAccount = statement(
  `
  UPDATE users SET email = 'erased:' || id, name = NULL, password_hash = NULL, password_confirmed = true,
    email_verified_at = NULL, last_organization_id = NULL, erased_at = now(), updated_at = now()
  WHERE id = $user`,
  { params: { user: uuid } },
);

/**
 * Empties the sessions of a person. They are deleted after the commit: a refresh locks its token before its session, and
 * deleting a session locks them in the opposite order, which could deadlock.
 */
export const emptySessions = statement(
  'UPDATE sessions SET ip_address = NULL, user_agent = NULL, client_name = NULL WHERE user_id = $user',
  { params: { user: uuid } },
);

/** Delete identities, links, device codes, invitations with their mails, and memberships of people. */
export const deleteOwnRows = [
  statement('DELETE FROM identities WHERE user_id = ANY($users)', { params: { users: uuids } }),
  statement('DELETE FROM user_tokens WHERE user_id = ANY($users)', { params: { users: uuids } }),
  statement('DELETE FROM device_codes WHERE user_id = ANY($users)', { params: { users: uuids } }),
  statement('DELETE FROM mails WHERE id IN (SELECT id FROM invitations WHERE invited_by_id = ANY($users))', {
    params: { users: uuids },
  }),
  statement('DELETE FROM invitations WHERE invited_by_id = ANY($users)', { params: { users: uuids } }),
  statement('DELETE FROM memberships WHERE user_id = ANY($users)', { params: { users: uuids } }),
];

export const deleteMails = statement('DELETE FROM mails WHERE user_id = $user', {
  params: { user: uuid },
});

/** Deletes the mails to people that were queued before their erasure. */
export const deleteEarlierMails = statement(
  'DELETE FROM mails m USING users u WHERE m.user_id = ANY($users) AND u.id = m.user_id AND m.created_at < u.erased_at',
  { params: { users: uuids } },
);

/** Deletes the invitations to an address. */
export const deleteInvitationsTo = statement(
  `DELETE FROM invitations WHERE email = $email
   RETURNING id, organization_id, role, accepted_at IS NULL AND expires_at > now() AS is_pending`,
  {
    params: { email: text },
    columns: { id: uuid, organization_id: uuid, role: enumOf<Role>('Role'), is_pending: boolean },
  },
);

/** Refresh tokens or sessions that a batch deletes. */
export const SESSION_ROWS = 10_000;

const OF_PEOPLE = { users: uuids };

/**
 * Delete a batch of the refresh tokens of people, and of their sessions. Each waits for locked rows: fewer than a batch means that
 * nothing is left.
 */
export const deleteSessions = [
  statement(
    `DELETE FROM refresh_tokens WHERE id = ANY(ARRAY(
       SELECT r.id FROM sessions s JOIN refresh_tokens r ON r.session_id = s.id WHERE s.user_id = ANY($users)
       LIMIT ${SESSION_ROWS} FOR UPDATE OF r))`,
    { params: OF_PEOPLE },
  ),
  statement(
    `DELETE FROM sessions WHERE id = ANY(ARRAY(
       SELECT id FROM sessions WHERE user_id = ANY($users) LIMIT ${SESSION_ROWS} FOR UPDATE))`,
    { params: OF_PEOPLE },
  ),
];

/** Lets this transaction change entries of the audit log, which a trigger refuses otherwise. */
export const allowScrubbing = statement(`SET LOCAL event_delivery.scrubbing = 'on'`);

/**
 * Removes the IP address and some details from a batch of the entries of a person above an entry, and returns the highest id of the
 * batch. The transaction must allow scrubbing.
 */
export const scrubEntries = statement(
  `
  WITH batch AS MATERIALIZED (
    SELECT id, ip_address IS NOT NULL OR details ?| $details::text[] AS is_identifying FROM audit_log
    WHERE ${byIndex('actor_id', '$user')} AND id > $above ORDER BY actor_id, id LIMIT ${SCRUBBED_ROWS}
  ), scrubbed AS (
    UPDATE audit_log SET ip_address = NULL, details = details - $details::text[]
    WHERE id = ANY(ARRAY(SELECT id FROM batch WHERE is_identifying))
  )
  SELECT id FROM batch ORDER BY id DESC LIMIT 1`,
  { params: { user: uuid, above: uuid, details: texts }, columns: { id: uuid } },
);
