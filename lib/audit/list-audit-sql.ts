import { bigint, enumOf, jsonOf, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
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
};
export type EntryRow = RowOf<typeof ENTRY>;

/** Selects the newest entries. The last parameter is how many. */
export const selectEntries = (given: readonly Condition[]) =>
  statement(
    `SELECT a.id, a.organization_id, a.action, a.actor_type, a.actor_id, a.target_type, a.target_id, a.ip_address,
            a.details, a.created_at, u.email
     FROM (SELECT * FROM audit_log WHERE ${where(given)} ORDER BY id DESC LIMIT $${given.length + 1}) a
     LEFT JOIN users u ON u.id = a.actor_id AND a.actor_type = 'USER' AND u.erased_at IS NULL
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
