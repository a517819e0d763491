import {
  bigint,
  boolean,
  bytes,
  enumOf,
  integer,
  knownToBeSet,
  nullable,
  text,
  timestamp,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import type { PortalPermissions } from './schema';

const permissions = enumOf<PortalPermissions>('PortalPermissions');

/** A link that nobody opens works for so long. */
const LINK_LIFETIME = `interval '5 minutes'`;

/** Links and sessions that a customer has at most. Further ones end the oldest. */
const MAX_OF_CUSTOMER = 1_000;

/**
 * Stores a link of a live customer, whose deletion waits for it. Ends the oldest links and sessions of the customer beyond those that
 * it may have.
 */
export const insertLink = statement(
  `WITH live AS (
     SELECT id FROM customers WHERE id = $customer AND project_id = $project AND deleted_at IS NULL FOR SHARE
   ), ended AS (
     DELETE FROM portal_sessions WHERE project_id = $project AND id = ANY(ARRAY(
       SELECT id FROM portal_sessions WHERE customer_id = $customer AND project_id = $project
       ORDER BY customer_id DESC, id DESC OFFSET ${MAX_OF_CUSTOMER - 1}))
   )
   INSERT INTO portal_sessions (id, project_id, customer_id, permissions, session_seconds, link_hash, expires_at)
   SELECT $id, $project, id, $permissions, $sessionSeconds, $linkHash, clock_timestamp() + ${LINK_LIFETIME} FROM live
   RETURNING expires_at`,
  {
    params: { id: uuid, project: uuid, customer: uuid, permissions, sessionSeconds: integer, linkHash: bytes },
    columns: { expires_at: timestamp },
  },
);

/** The live customer, project and organization of a session `s`: it ends with each of them. */
const LIVE = `customers c, projects p, organizations o
   WHERE c.id = s.customer_id AND c.project_id = s.project_id AND c.deleted_at IS NULL
     AND p.id = s.project_id AND p.deleted_at IS NULL AND o.id = p.organization_id AND o.deleted_at IS NULL`;

const SESSION = {
  id: uuid,
  project_id: uuid,
  organization_id: uuid,
  customer_id: uuid,
  permissions,
  expires_at: timestamp,
  uid: text,
  name: nullable(text),
};
const SESSION_COLUMNS =
  's.id, s.project_id, p.organization_id, s.customer_id, s.permissions, s.expires_at, c.uid, c.name';

/** Opens the session of a link of a project. Of several at once, the first finds the row; the others see that it has a token. */
export const exchangeLink = statement(
  // The time is read before, since Citus refuses to read it for each row.
  `WITH clock AS MATERIALIZED (SELECT at, extract(epoch FROM at)::float8 AS seconds FROM clock_timestamp() AS at)
   UPDATE portal_sessions s SET token_hash = $tokenHash, expires_at = to_timestamp(clock.seconds + s.session_seconds)
   FROM clock, ${LIVE} AND s.link_hash = $linkHash AND s.token_hash IS NULL AND s.expires_at > clock.at
     AND s.project_id = $project
   RETURNING ${SESSION_COLUMNS}`,
  { params: { tokenHash: bytes, linkHash: bytes, project: uuid }, columns: SESSION },
);

/** Finds a session by the hash of its token. */
export const findSession = statement(
  `SELECT ${SESSION_COLUMNS}, s.expires_at <= clock_timestamp() AS is_expired
   FROM portal_sessions s, ${LIVE} AND s.token_hash = $tokenHash`,
  { params: { tokenHash: bytes }, columns: { ...SESSION, is_expired: boolean }, name: 'authenticate-portal' },
);

/** Finds a session that was authenticated. */
export const findOpenSession = statement(
  `SELECT ${SESSION_COLUMNS} FROM portal_sessions s, ${LIVE} AND s.id = $session AND s.project_id = $project`,
  { params: { session: uuid, project: uuid }, columns: SESSION },
);

/** Ends a session. */
export const deleteSession = statement('DELETE FROM portal_sessions WHERE id = $session AND project_id = $project', {
  params: { session: uuid, project: uuid },
});

/** Ends the links and sessions of a customer. */
export const deleteSessionsOf = statement(
  'DELETE FROM portal_sessions WHERE customer_id = $customer AND project_id = $project',
  { params: { customer: uuid, project: uuid } },
);

/** Events of a customer that are looked at for their types. */
const MAX_EVENTS = 10_000;

/** Lists the types of the newest events of a customer, in order. */
export const selectTypesOf = statement(
  `SELECT DISTINCT type FROM (
     SELECT type FROM events WHERE customer_id = $customer AND project_id = $project
     ORDER BY customer_id DESC, id DESC LIMIT ${MAX_EVENTS}) newest
   ORDER BY type LIMIT $limit`,
  { params: { customer: uuid, project: uuid, limit: bigint }, columns: { type: text } },
);

/** Counts the deliveries of events to endpoints of a customer. */
export const countDeliveriesTo = statement(
  `SELECT event_id, count(*)::int AS count FROM deliveries
   WHERE event_id = ANY($events::uuid[]) AND project_id = $project AND customer_id = $customer GROUP BY event_id`,
  {
    params: { events: uuids, project: uuid, customer: uuid },
    columns: { event_id: knownToBeSet(uuid), count: integer },
  },
);
