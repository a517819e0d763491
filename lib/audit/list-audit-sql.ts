import { MINUTE_MS } from '@/lib/platform/clock';
import { idRange, newId } from '@/lib/platform/ids';
import { type Condition, type Details, type Scan, statementsOf } from '@/lib/platform/sql/bounded-scan';
import { boolean, enumOf, jsonOf, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import type { RowOf } from '@/lib/platform/sql/statement';
import type { AuditAction } from './types';

export interface AuditFilter {
  /**
   * Null selects every organization, and entries without one: for the operator only. Required, so that nobody omits it
   * by mistake.
   */
  organizationId: string | null;
  action?: AuditAction | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  /** Leaves out sessions that were opened or closed. */
  withoutSignIns?: boolean | undefined;
  /** Shows the IP address of the operator, which members of an organization must not see. */
  isForOperator?: boolean | undefined;
  /** Both ends are inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const ENTRY = {
  id: uuid,
  organization_id: nullable(uuid),
  action: text,
  actor_type: enumOf<'USER' | 'API_KEY' | 'PORTAL' | 'OPERATOR' | 'SYSTEM'>('ActorType'),
  actor_id: nullable(uuid),
  target_type: text,
  target_id: nullable(uuid),
  ip_address: nullable(text),
  details: jsonOf<Record<string, unknown>>(),
  created_at: timestamp,
  /** From the account: no entry stores it. */
  email: nullable(text),
  key_name: nullable(text),
  customer_name: nullable(text),
  key_hint: nullable(text),
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
  targetIn('customer', 'customers', 'coalesce(x.name, x.uid)', IS_KEPT),
  targetIn('endpoint', 'endpoints', URL_SQL, IS_KEPT),
  targetIn('subscription', 'subscriptions', 'x.event_type', 'p.deleted_at IS NULL'),
  targetIn('source', 'sources', 'x.name', IS_KEPT),
  targetIn('destination', 'destinations', URL_SQL, IS_KEPT),
  targetIn('tunnel', 'tunnels', 'x.name', 'p.deleted_at IS NULL'),
].join('\n            UNION ALL ');

/** What lists show of entries. */
export const AUDIT_ROWS: Details<typeof ENTRY> = {
  sql: `
     SELECT a.id, a.organization_id, a.action, a.actor_type, a.actor_id, a.target_type, a.target_id, a.ip_address,
            a.details, a.created_at, u.email, k.name AS key_name, k.hint AS key_hint, m.name AS customer_name, t.is_live,
            coalesce(a.details->>'targetName', t.name, a.details->>'eventType') AS target_name
     FROM found a
     LEFT JOIN users u ON u.id = a.actor_id AND a.actor_type = 'USER' AND u.erased_at IS NULL
     LEFT JOIN (api_keys k JOIN projects p ON p.id = k.project_id)
       ON k.id = a.actor_id AND a.actor_type = 'API_KEY' AND p.organization_id = a.organization_id
     LEFT JOIN LATERAL (
       SELECT coalesce(c.name, c.uid) AS name FROM customers c JOIN projects p ON p.id = c.project_id AND p.organization_id = a.organization_id
       WHERE a.actor_type = 'PORTAL' AND c.id = a.actor_id) m ON true
     LEFT JOIN LATERAL (${TARGET_SQL}) t ON true`,
  columns: ENTRY,
};

const COLUMNS = [
  'x.id',
  'x.organization_id',
  'x.action',
  'x.actor_type',
  'x.actor_id',
  'x.target_type',
  'x.target_id',
  'x.ip_address',
  'x.details',
  'x.created_at',
];
const SIGN_INS = ['session.created', 'session.closed'];
/** The condition of an index. */
const WITHOUT_SIGN_INS = `x.action NOT IN ('session.created', 'session.closed')`;
/** The operator may look further at once. */
const OPERATOR_EXAMINES = 100_000;
/**
 * The time of an entry is the start of its transaction by the database's clock; its id holds the time by the process's
 * clock. A range of ids must be this much wider to contain a range of times.
 */
const ID_SLACK_MS = 10 * MINUTE_MS;

/** Returns the scan of the entries that match. */
export function auditScan({ organizationId, action, actorId, targetId, withoutSignIns, from, to }: AuditFilter): Scan {
  const conditions: (Condition | false)[] = [
    organizationId !== null && ['x.organization_id = ?', organizationId],
    action !== undefined && ['x.action = ?', action],
    actorId !== undefined && ['x.actor_id = ?', actorId],
    targetId !== undefined && ['x.target_id = ?', targetId],
    from !== undefined && ['x.created_at >= ?', from],
    to !== undefined && ['x.created_at <= ?', to],
    withoutSignIns === true && [WITHOUT_SIGN_INS],
  ];
  // Most entries are sign-ins.
  const isWithout = withoutSignIns === true || (action !== undefined && !SIGN_INS.includes(action));
  return {
    from: 'audit_log x',
    columns: COLUMNS,
    indexes: [
      organizationId === null
        ? []
        : [
            ['x.organization_id', organizationId],
            ...(targetId === undefined ? [] : [['x.target_id', targetId] as const]),
          ],
    ],
    ...(isWithout && organizationId !== null && targetId === undefined ? { only: WITHOUT_SIGN_INS } : {}),
    ...(organizationId === null ? { maxExamined: OPERATOR_EXAMINES } : {}),
    ...idRange({ from, to }, ID_SLACK_MS),
    conditions: conditions.filter((condition) => condition !== false),
  };
}

const ID = newId();
const EVERY = {
  organizationId: ID,
  actorId: ID,
  targetId: ID,
  withoutSignIns: true,
  from: new Date(0),
  to: new Date(0),
};
/** Scans with every condition and without any, so that their columns are checked. */
export const CHECKED_STATEMENTS = [{ ...EVERY, action: 'session.created' as const }, { organizationId: null }].flatMap(
  (filter) => statementsOf(auditScan(filter), AUDIT_ROWS),
);
