import { beginsWith } from '@/lib/customers/customers-sql';
import { holdsText } from '@/lib/platform/sql/bounded-scan';
import { bigint, nullable, text, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

const RESULT = {
  kind: text,
  id: uuid,
  title: text,
  project_id: nullable(uuid),
  project_name: nullable(text),
  source_id: nullable(uuid),
};

/** What an endpoint or destination is called: its URL, and what it is for. */
const targetTitle = (row = '') => `${row}url || coalesce(' · ' || ${row}description, '')`;

const customerTitle = (row = '') => `coalesce(${row}name || ' · ', '') || ${row}uid`;

/** SQL for the live project of row `x`, in the organization. */
const IN_ORGANIZATION_SQL =
  'JOIN projects p ON p.id = x.project_id AND p.organization_id = $organization AND p.deleted_at IS NULL';

function byId(kind: string, table: string, title: string, condition = '', sourceId = 'NULL::uuid'): string {
  return `SELECT '${kind}' AS kind, x.id, ${title} AS title, p.id AS project_id, p.name AS project_name, ${sourceId} AS source_id
   FROM ${table} x ${IN_ORGANIZATION_SQL} WHERE x.id = $id ${condition}`;
}

/** Finds what has an id in an organization: each part reads one row by its primary key. */
export const findById = statement(
  [
    `SELECT 'project' AS kind, p.id, p.name AS title, p.id AS project_id, p.name AS project_name, NULL::uuid AS source_id
     FROM projects p WHERE p.id = $id AND p.organization_id = $organization AND p.deleted_at IS NULL`,
    byId('customer', 'customers', customerTitle('x.'), 'AND x.deleted_at IS NULL'),
    byId('api_key', 'api_keys', 'x.name'),
    byId('endpoint', 'endpoints', targetTitle('x.'), 'AND x.deleted_at IS NULL'),
    byId('subscription', 'subscriptions', 'x.event_type'),
    byId('event', 'events', 'x.type'),
    byId('delivery', 'deliveries', 'x.status::text'),
    byId('source', 'sources', 'x.name', 'AND x.deleted_at IS NULL'),
    byId('destination', 'destinations', targetTitle('x.'), 'AND x.deleted_at IS NULL', 'x.source_id'),
    byId('incoming_event', 'incoming_events', 'x.method', '', 'x.source_id'),
    byId('tunnel', 'tunnels', 'x.name'),
    `SELECT 'member', u.id, coalesce(u.name, u.email), NULL, NULL, NULL
     FROM memberships m JOIN users u ON u.id = m.user_id AND u.erased_at IS NULL
     WHERE m.organization_id = $organization AND m.user_id = $id`,
  ].join('\nUNION ALL\n'),
  { params: { id: uuid, organization: uuid }, columns: RESULT },
);

/** Of each kind, a search looks at so many rows, and at so many bytes: URLs may be long, and comparing them takes the time. */
const MAX_ROWS = 10_000;
const MAX_BYTES = 2_000_000;

interface TextSource {
  title: string;
  /** A condition that an index has. */
  indexed?: string;
  /** A condition on the rows that were read. */
  isKept?: string;
  sourceId?: string;
}

/**
 * The length of a text is known without reading it. The rows of a project are read by both columns of their index, so that no other
 * index serves them.
 */
function byText(kind: string, table: string, { title, indexed, isKept, sourceId }: TextSource): string {
  return `(SELECT '${kind}' AS kind, x.id, x.title, x.project_id, x.project_name, x.source_id
   FROM (SELECT read.*, sum(octet_length(title)) OVER (ROWS UNBOUNDED PRECEDING) AS bytes
         FROM (SELECT x.*, p.id AS project_id, p.name AS project_name FROM live p CROSS JOIN LATERAL (
                 SELECT id, ${title} AS title, ${sourceId ?? 'NULL::uuid'} AS source_id, ${isKept ?? 'true'} AS is_kept FROM ${table}
                 WHERE project_id = p.id ${indexed === undefined ? '' : `AND ${indexed}`}
                 ORDER BY project_id DESC, id DESC LIMIT ${MAX_ROWS}) x
               LIMIT ${MAX_ROWS}) read) x
   WHERE x.bytes <= ${MAX_BYTES} AND x.is_kept AND ${holdsText('x.title')} ORDER BY x.id DESC LIMIT $limit)`;
}

/** Names are found in upper and lower case. */
const NAME = { column: 'lower(name) COLLATE "C"', beginning: 'lower($text)' };
/** Selects the customers of a project that begin with the text. Both columns have an index. */
const customersBy = (column: string, beginning: string) => `
   SELECT id, ${customerTitle()} AS title FROM customers
   WHERE project_id = p.id AND deleted_at IS NULL AND ${beginsWith(column, beginning)}
   ORDER BY ${column} LIMIT $limit`;

/**
 * Finds what has a text in its name, URL, description or address, customers that begin with it, endpoints that have it as their uid, and
 * events that have it as their idempotency key, the newest first: at most `limit` of each kind. Looks at a bounded number of rows of each
 * kind, project by project from the newest.
 */
export const findByText = statement(
  `WITH live AS MATERIALIZED (
     SELECT id, name FROM projects WHERE organization_id = $organization AND deleted_at IS NULL ORDER BY organization_id, id DESC
   )
   ${[
     `(SELECT 'project' AS kind, p.id, p.name AS title, p.id AS project_id, p.name AS project_name, NULL::uuid AS source_id
      FROM live p WHERE ${holdsText('p.name')} ORDER BY p.id DESC LIMIT $limit)`,
     `(SELECT 'customer', x.id, x.title, p.id, p.name, NULL FROM live p CROSS JOIN LATERAL (
        (${customersBy('uid', '$text')}) UNION (${customersBy(NAME.column, NAME.beginning)})) x
      ORDER BY x.id DESC LIMIT $limit)`,
     `(SELECT 'endpoint', x.id, ${targetTitle('x.')}, p.id, p.name, NULL FROM live p CROSS JOIN LATERAL (
        SELECT id, url, description FROM endpoints WHERE project_id = p.id AND uid = $text AND deleted_at IS NULL LIMIT 1) x
      WHERE NOT ${holdsText(targetTitle('x.'))} ORDER BY x.id DESC LIMIT $limit)`,
     byText('endpoint', 'endpoints', { title: targetTitle(), indexed: 'deleted_at IS NULL' }),
     byText('api_key', 'api_keys', { title: 'name', isKept: 'revoked_at IS NULL' }),
     byText('source', 'sources', { title: 'name', isKept: 'deleted_at IS NULL' }),
     byText('destination', 'destinations', {
       title: targetTitle(),
       isKept: 'deleted_at IS NULL',
       sourceId: 'source_id',
     }),
     byText('tunnel', 'tunnels', { title: 'name' }),
     `(SELECT 'event', x.id, x.type, p.id, p.name, NULL FROM live p CROSS JOIN LATERAL (
        SELECT id, type FROM events WHERE project_id = p.id AND idempotency_key = $text LIMIT 1) x
      ORDER BY x.id DESC LIMIT $limit)`,
     `(SELECT 'member', u.id, coalesce(u.name, u.email), NULL, NULL, NULL
      FROM memberships m JOIN users u ON u.id = m.user_id AND u.erased_at IS NULL
      WHERE m.organization_id = $organization AND (${holdsText('u.email')} OR ${holdsText("coalesce(u.name, '')")})
      ORDER BY u.id DESC LIMIT $limit)`,
   ].join('\nUNION ALL\n')}`,
  { params: { organization: uuid, text, limit: bigint }, columns: RESULT },
);
