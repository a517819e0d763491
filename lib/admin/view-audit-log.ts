import type { OperatorCaller } from '@/lib/audit/caller';
import { listAudit } from '@/lib/audit/list-audit';
import type { AuditFilter } from '@/lib/audit/list-audit-sql';
import { recordAudit } from '@/lib/audit/record-audit';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { inEachCell } from '@/lib/platform/cells/current-cell';
import { database } from '@/lib/platform/db';
import type { Listing, Page } from '@/lib/platform/pagination';
import { selectNames } from './organizations-sql';
import type { ListAllAuditQuery } from './schema';
import { selectAddresses } from './users-sql';

/**
 * Lists the audit log of all organizations, including deleted ones and entries without an organization. The log shows
 * email addresses, so reading it is audited: once, with the first page.
 */
export async function viewAuditLog(caller: OperatorCaller, query: ListAllAuditQuery): Promise<Listing<AuditLogEntry>> {
  const { limit, cursor, organizationId = null, ...filter } = query;
  const entries = await listInCells({ organizationId, isForOperator: true, ...filter }, { limit, cursor });
  if (cursor === undefined) {
    await recordAudit(database(), caller, 'audit_log.viewed', { organizationId, targetId: null });
  }
  return { ...entries, data: await addNames(entries.data) };
}

/** Lists entries with the names of what is in any cell: those of an entry are found in the cell of its organization. */
async function listInCells(filter: AuditFilter, page: Page): Promise<Listing<AuditLogEntry>> {
  const [first, ...others] = await inEachCell(() => listAudit(filter, page));
  if (first === undefined) throw new Error('there is a cell');
  const byId = new Map(first.data.map((entry) => [entry.id, entry]));
  for (const entry of others.flatMap(({ data }) => data)) {
    const known = byId.get(entry.id);
    if (known !== undefined && namesOf(entry) > namesOf(known)) byId.set(entry.id, entry);
  }
  return { ...first, data: [...byId.values()] };
}

const namesOf = ({ actor, target }: AuditLogEntry) =>
  Number(actor.name !== undefined) + Number(target.name !== undefined) + Number(target.exists);

/** Adds the names of organizations, and of targets that are people or organizations, while they exist. */
async function addNames(entries: readonly AuditLogEntry[]): Promise<AuditLogEntry[]> {
  const targets = (type: string) => entries.filter(({ target }) => target.type === type).map(({ target }) => target.id);
  const organizationIds = [...entries.map(({ organizationId }) => organizationId), ...targets('organization')];
  const [names, addresses] = await Promise.all([
    selectNames.all(database(), { organizations: distinct(organizationIds) }),
    selectAddresses.all(database(), { users: distinct(targets('user')) }),
  ]);
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  const addressOf = new Map(addresses.map(({ id, email }) => [id, email]));
  return entries.map((entry) => {
    const organizationName = nameOf.get(entry.organizationId ?? '');
    const targetId = entry.target.id ?? '';
    const name = entry.target.name ?? addressOf.get(targetId) ?? nameOf.get(targetId);
    return {
      ...entry,
      target: { ...entry.target, ...(name === undefined ? {} : { name }) },
      ...(organizationName === undefined ? {} : { organizationName }),
    };
  });
}

const distinct = (ids: readonly (string | null)[]) => [...new Set(ids)].filter((id) => id !== null);
