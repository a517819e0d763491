import { nullable, text, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

const RESULT = {
  kind: text,
  id: uuid,
  title: text,
  project_id: nullable(uuid),
  project_name: nullable(text),
  source_id: nullable(uuid),
};

/** SQL for the live project of row `x`, in organization $1. */
const OF_PROJECT_SQL = 'JOIN projects p ON p.id = x.project_id AND p.organization_id = $1 AND p.deleted_at IS NULL';

function byId(kind: string, table: string, title: string, condition = '', sourceId = 'NULL::uuid'): string {
  return `SELECT '${kind}' AS kind, x.id, ${title} AS title, p.id AS project_id, p.name AS project_name, ${sourceId} AS source_id
   FROM ${table} x ${OF_PROJECT_SQL} WHERE x.id = $2 ${condition}`;
}

/**
 * Finds what has an id in an organization: each part reads one row by its primary key. $1 organization, $2 id.
 */
export const findById = statement(
  [
    `SELECT 'project' AS kind, p.id, p.name AS title, p.id AS project_id, p.name AS project_name, NULL::uuid AS source_id
     FROM projects p WHERE p.id = $2 AND p.organization_id = $1 AND p.deleted_at IS NULL`,
    byId('api_key', 'api_keys', 'x.name'),
    byId('endpoint', 'endpoints', 'x.url', 'AND x.deleted_at IS NULL'),
    byId('subscription', 'subscriptions', 'x.event_type'),
    byId('event', 'events', 'x.type'),
    byId('delivery', 'deliveries', 'x.status::text'),
    byId('source', 'sources', 'x.name', 'AND x.deleted_at IS NULL'),
    byId('destination', 'destinations', 'x.url', 'AND x.deleted_at IS NULL', 'x.source_id'),
    byId('incoming_event', 'incoming_events', 'x.method', '', 'x.source_id'),
    byId('tunnel', 'tunnels', 'x.name'),
    `SELECT 'member', u.id, coalesce(u.name, u.email), NULL, NULL, NULL
     FROM memberships m JOIN users u ON u.id = m.user_id AND u.erased_at IS NULL
     WHERE m.organization_id = $1 AND m.user_id = $2`,
  ].join('\nUNION ALL\n'),
  RESULT,
);

/** A substring, without the wildcards of LIKE. */
const holds = (column: string) => `strpos(lower(${column}), lower($2)) > 0`;

function byText(kind: string, table: string, title: string, condition = '', sourceId = 'NULL::uuid'): string {
  return `(SELECT '${kind}' AS kind, x.id, ${title} AS title, p.id AS project_id, p.name AS project_name, ${sourceId} AS source_id
   FROM projects p JOIN ${table} x ON x.project_id = p.id ${condition}
   WHERE p.organization_id = $1 AND p.deleted_at IS NULL AND ${holds(title)} ORDER BY x.id DESC LIMIT $3)`;
}

/**
 * Finds what has a text in its name, URL or address, the newest first. Reads at most as many rows as the limits of an
 * organization allow. $1 organization, $2 text, $3 rows of each kind.
 */
export const findByText = statement(
  [
    `(SELECT 'project' AS kind, p.id, p.name AS title, p.id AS project_id, p.name AS project_name, NULL::uuid AS source_id
      FROM projects p WHERE p.organization_id = $1 AND p.deleted_at IS NULL AND ${holds('p.name')}
      ORDER BY p.id DESC LIMIT $3)`,
    byText('endpoint', 'endpoints', 'x.url', 'AND x.deleted_at IS NULL'),
    byText('api_key', 'api_keys', 'x.name', 'AND x.revoked_at IS NULL'),
    byText('source', 'sources', 'x.name', 'AND x.deleted_at IS NULL'),
    byText('destination', 'destinations', 'x.url', 'AND x.deleted_at IS NULL', 'x.source_id'),
    byText('tunnel', 'tunnels', 'x.name'),
    `(SELECT 'member', u.id, coalesce(u.name, u.email), NULL, NULL, NULL
      FROM memberships m JOIN users u ON u.id = m.user_id AND u.erased_at IS NULL
      WHERE m.organization_id = $1 AND (${holds('u.email')} OR ${holds("coalesce(u.name, '')")})
      ORDER BY u.id DESC LIMIT $3)`,
  ].join('\nUNION ALL\n'),
  RESULT,
);
