import { bigint, boolean, enumOf, jsonOf, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** The conditions on entries. Each has one parameter; those of the given ones come first, in their order. */
const CONDITIONS = {
  organizationId: 'organization_id =',
  action: 'action =',
  actorId: 'actor_id =',
  from: 'created_at >=',
  fromId: 'id >=',
  to: 'created_at <=',
  toId: 'id <=',
  cursor: 'id <',
  /** The constants let PostgreSQL use the index without these entries. The parameter is true. */
  withoutSignIns: `action NOT IN ('session.created', 'session.closed') AND true =`,
} as const;
export type Condition = keyof typeof CONDITIONS;

/** Names the given conditions only, so that PostgreSQL can choose an index for each combination. */
const where = (given: readonly Condition[]) =>
  given.map((name, index) => `${CONDITIONS[name]} $${index + 1}`).join(' AND ') || 'true';

const ENTRY = {
  id: uuid,
  organization_id: nullable(uuid),
  action: text,
  actor_type: enumOf<'USER' | 'API_KEY' | 'OPERATOR' | 'SYSTEM'>('ActorType'),
  actor_id: nullable(uuid),
  target_type: text,
  target_id: nullable(uuid),
  ip_address: nullable(text),
  details: jsonOf<Record<string, unknown>>(),
  created_at: timestamp,
  /** From the account: no entry stores it. */
  email: nullable(text),
  target_name: nullable(text),
  /** Whether the target can still be opened. */
  is_live: nullable(boolean),
};
export type EntryRow = RowOf<typeof ENTRY>;

function targetIn(type: string, table: string, name: string, isLive: string): string {
  return `SELECT ${name} AS name, ${isLive} AS is_live
            FROM ${table} x JOIN projects p ON p.id = x.project_id AND p.organization_id = a.organization_id
            WHERE a.target_type = '${type}' AND x.id = a.target_id`;
}

const IS_KEPT = 'x.deleted_at IS NULL AND p.deleted_at IS NULL';
/** A URL without its query, which may contain a token. */
const URL_SQL = `split_part(x.url, '?', 1)`;

/** The row of an entry's target, by its primary key. A deleted target keeps its row for a while. */
const TARGET_SQL = [
  `SELECT p.name, p.deleted_at IS NULL AS is_live FROM projects p
            WHERE a.target_type = 'project' AND p.id = a.target_id AND p.organization_id = a.organization_id`,
  targetIn('api_key', 'api_keys', 'x.name', 'x.revoked_at IS NULL AND p.deleted_at IS NULL'),
  targetIn('endpoint', 'endpoints', URL_SQL, IS_KEPT),
  targetIn('subscription', 'subscriptions', 'x.event_type', 'p.deleted_at IS NULL'),
  targetIn('source', 'sources', 'x.name', IS_KEPT),
  targetIn('destination', 'destinations', URL_SQL, IS_KEPT),
  targetIn('tunnel', 'tunnels', 'x.name', 'p.deleted_at IS NULL'),
].join('\n            UNION ALL ');

/** Selects the newest entries. The last parameter is how many. */
export const selectEntries = (given: readonly Condition[]) =>
  statement(
    `SELECT a.id, a.organization_id, a.action, a.actor_type, a.actor_id, a.target_type, a.target_id, a.ip_address,
            a.details, a.created_at, u.email, t.is_live,
            coalesce(a.details->>'targetName', t.name, a.details->>'eventType') AS target_name
     FROM (SELECT * FROM audit_log WHERE ${where(given)} ORDER BY id DESC LIMIT $${given.length + 1}) a
     LEFT JOIN users u ON u.id = a.actor_id AND a.actor_type = 'USER' AND u.erased_at IS NULL
     LEFT JOIN LATERAL (${TARGET_SQL}) t ON true
     ORDER BY a.id DESC`,
    ENTRY,
  );

/** Selects the entry after the newest ones. The last parameter is how many those are. */
export const selectEntryAfter = (given: readonly Condition[]) =>
  statement(`SELECT FROM audit_log WHERE ${where(given)} ORDER BY id DESC OFFSET $${given.length + 1} LIMIT 1`);

export const countEntries = (given: readonly Condition[]) =>
  statement(`SELECT count(*) FROM audit_log WHERE ${where(given)}`, { count: bigint });

const EVERY = Object.keys(CONDITIONS) as Condition[];
/** Each statement with every condition and without any, so that their columns are checked. */
export const CHECKED_STATEMENTS = [EVERY, []].flatMap((given) => [
  selectEntries(given),
  selectEntryAfter(given),
  countEntries(given),
]);
