import { addMs, MINUTE_MS } from '@/lib/platform/clock';
import { database, type Sql } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import type { AuditLogEntry } from './schema';
import type { AuditAction } from './types';

export interface AuditFilter {
  /**
   * Null selects every organization, and entries without one: for the operator only. Required, so that nobody omits it
   * by mistake.
   */
  organizationId: string | null;
  action?: AuditAction | undefined;
  actorId?: string | undefined;
  /** Shows the IP address of the operator, which members of an organization must not see. */
  isForOperator?: boolean | undefined;
  /** Both ends are inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
}

interface AuditRow {
  id: string;
  organization_id: string | null;
  action: string;
  actor_type: AuditLogEntry['actor']['type'];
  actor_id: string | null;
  target_type: string;
  target_id: string | null;
  ip_address: string | null;
  details: Record<string, unknown>;
  created_at: Date;
  email: string | null;
}

/** Lists entries of the audit log, newest first. They stay after their organization is deleted. */
export async function listAudit(filter: AuditFilter, page: Page): Promise<Listing<AuditLogEntry>> {
  const entries = await readAudit(database(), filter, { ...page, limit: page.limit + 1 });
  return toListing(entries, page.limit, (entry) => entry);
}

/**
 * Reads up to `page.limit` entries below the cursor, newest first, through `sql`: the pool, or the transaction of an
 * export. The email address comes from the account and is stored in no entry, so erasing the account removes it here
 * too.
 */
export async function readAudit(sql: Sql, filter: AuditFilter, page: Page): Promise<AuditLogEntry[]> {
  const { where, values } = toCondition(filter, page.cursor);
  const { rows } = await sql.query<AuditRow>(
    `SELECT a.id, a.organization_id, a.action, a.actor_type, a.actor_id, a.target_type, a.target_id, a.ip_address,
            a.details, a.created_at, u.email
     FROM (SELECT * FROM audit_log WHERE ${where} ORDER BY id DESC LIMIT $${values.length + 1}) a
     LEFT JOIN users u ON u.id = a.actor_id AND a.actor_type = 'USER' AND u.erased_at IS NULL
     ORDER BY a.id DESC`,
    [...values, page.limit],
  );
  return rows.map((row) => presentAuditEntry(row, filter.isForOperator === true));
}

/** Whether more than `count` entries match. */
export async function hasMoreAudit(sql: Sql, filter: AuditFilter, count: number): Promise<boolean> {
  const { where, values } = toCondition(filter, undefined);
  const { rowCount } = await sql.query(
    `SELECT FROM audit_log WHERE ${where} ORDER BY id DESC OFFSET $${values.length + 1} LIMIT 1`,
    [...values, count],
  );
  return rowCount === 1;
}

/** Counts the entries that match, exactly. */
export async function countAudit(sql: Sql, filter: AuditFilter): Promise<number> {
  const { where, values } = toCondition(filter, undefined);
  const { rows } = await sql.query<{ count: string }>(`SELECT count(*) FROM audit_log WHERE ${where}`, values);
  return Number(rows[0]?.count);
}

/**
 * The time of an entry is the start of its transaction by the database's clock; its id holds the time by the process's
 * clock. A range of ids must be this much wider to contain a range of times.
 */
const ID_SLACK_MS = 10 * MINUTE_MS;

/** Builds the condition from the given filters only, so that PostgreSQL can choose an index for each combination. */
function toCondition(filter: AuditFilter, cursor: string | undefined): { where: string; values: unknown[] } {
  const { organizationId, action, actorId, from, to } = filter;
  const parts: [condition: string, value: unknown][] = [];
  if (organizationId !== null) parts.push(['organization_id = ', organizationId]);
  if (action !== undefined) parts.push(['action = ', action]);
  if (actorId !== undefined) parts.push(['actor_id = ', actorId]);
  if (from !== undefined) parts.push(['created_at >= ', from], ['id >= ', lowestIdAt(addMs(from, -ID_SLACK_MS))]);
  if (to !== undefined) parts.push(['created_at <= ', to], ['id <= ', lowestIdAt(addMs(to, ID_SLACK_MS))]);
  if (cursor !== undefined) parts.push(['id < ', cursor]);
  const conditions = parts.map(([condition], index) => `${condition}$${index + 1}`);
  return { where: conditions.join(' AND ') || 'true', values: parts.map(([, value]) => value) };
}

function presentAuditEntry(row: AuditRow, isForOperator: boolean): AuditLogEntry {
  return {
    id: row.id,
    action: row.action,
    actor: { type: row.actor_type, id: row.actor_id, ...(row.email === null ? {} : { email: row.email }) },
    target: { type: row.target_type, id: row.target_id },
    organizationId: row.organization_id,
    ipAddress: row.actor_type === 'OPERATOR' && !isForOperator ? null : row.ip_address,
    createdAt: row.created_at.toISOString(),
    details: row.details,
  };
}
