import { addMs, MINUTE_MS } from '@/lib/platform/clock';
import { database, type Sql } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import type { AuditLogEntry } from './schema';
import type { AuditAction } from './types';

/** Which entries are asked for. */
export interface AuditFilter {
  /** Null: of every organization and of none, which is for the operator alone. Never left out by mistake. */
  organizationId: string | null;
  action?: AuditAction | undefined;
  actorId?: string | undefined;
  /** For the operator's own eyes: where the operator sits is not for the members of an organization to know. */
  isForOperator?: boolean | undefined;
  /** Both belong to the range. */
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

/** Entries of the audit log, newest first; kept after their organization is deleted (spec 2, 8.4). */
export async function listAudit(filter: AuditFilter, page: Page): Promise<Listing<AuditLogEntry>> {
  const entries = await readAudit(database(), filter, { ...page, limit: page.limit + 1 });
  return toListing(entries, page.limit, (entry) => entry);
}

/**
 * Up to `page.limit` entries below the cursor, newest first, read through `sql`: the pool, or the transaction of an export.
 * An address is joined from the living account and stands in no entry, so that erasing the account removes it here too.
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

/** The true count of the entries that match. */
export async function countAudit(sql: Sql, filter: AuditFilter): Promise<number> {
  const { where, values } = toCondition(filter, undefined);
  const { rows } = await sql.query<{ count: string }>(`SELECT count(*) FROM audit_log WHERE ${where}`, values);
  return Number(rows[0]?.count);
}

/**
 * An entry's time is the start of its transaction by the database's clock, its id the moment it was made by the process's:
 * a range of times is found by ids this much wider.
 */
const ID_SLACK_MS = 10 * MINUTE_MS;

/** Only what is asked for stands in the condition, so that each combination is planned by its own index. */
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
