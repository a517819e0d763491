import { addMs, MINUTE_MS } from '@/lib/platform/clock';
import { database, type Sql } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { type Condition, countEntries, type EntryRow, selectEntries, selectEntryAfter } from './list-audit-sql';
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
  /** Leaves out sessions that were opened or closed. */
  withoutSignIns?: boolean | undefined;
  /** Shows the IP address of the operator, which members of an organization must not see. */
  isForOperator?: boolean | undefined;
  /** Both ends are inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
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
  const { given, values } = toConditions(filter, page.cursor);
  const rows = await selectEntries(given).all(sql, ...values, page.limit);
  return rows.map((row) => presentAuditEntry(row, filter.isForOperator === true));
}

/** Whether more than `count` entries match. */
export async function hasMoreAudit(sql: Sql, filter: AuditFilter, count: number): Promise<boolean> {
  const { given, values } = toConditions(filter, undefined);
  return (await selectEntryAfter(given).run(sql, ...values, count)) === 1;
}

/** Counts the entries that match, exactly. */
export async function countAudit(sql: Sql, filter: AuditFilter): Promise<number> {
  const { given, values } = toConditions(filter, undefined);
  return Number((await countEntries(given).first(sql, ...values))?.count);
}

/**
 * The time of an entry is the start of its transaction by the database's clock; its id holds the time by the process's
 * clock. A range of ids must be this much wider to contain a range of times.
 */
const ID_SLACK_MS = 10 * MINUTE_MS;

function toConditions(filter: AuditFilter, cursor: string | undefined): { given: Condition[]; values: unknown[] } {
  const { organizationId, action, actorId, withoutSignIns, from, to } = filter;
  const parts: [condition: Condition, value: unknown][] = [];
  if (organizationId !== null) parts.push(['organizationId', organizationId]);
  if (action !== undefined) parts.push(['action', action]);
  if (actorId !== undefined) parts.push(['actorId', actorId]);
  if (withoutSignIns === true) parts.push(['withoutSignIns', true]);
  if (from !== undefined) parts.push(['from', from], ['fromId', lowestIdAt(addMs(from, -ID_SLACK_MS))]);
  if (to !== undefined) parts.push(['to', to], ['toId', lowestIdAt(addMs(to, ID_SLACK_MS))]);
  if (cursor !== undefined) parts.push(['cursor', cursor]);
  return { given: parts.map(([condition]) => condition), values: parts.map(([, value]) => value) };
}

function presentAuditEntry(row: EntryRow, isForOperator: boolean): AuditLogEntry {
  return {
    id: row.id,
    action: row.action,
    actor: { type: row.actor_type, id: row.actor_id, ...(row.email === null ? {} : { email: row.email }) },
    target: {
      type: row.target_type,
      id: row.target_id,
      ...(row.target_name === null ? {} : { name: row.target_name }),
      exists: row.is_live === true,
    },
    organizationId: row.organization_id,
    ipAddress: row.actor_type === 'OPERATOR' && !isForOperator ? null : row.ip_address,
    createdAt: row.created_at.toISOString(),
    details: row.details,
  };
}
