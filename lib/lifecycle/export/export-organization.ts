import type pg from 'pg';
import type { PersonCaller } from '@/lib/audit/caller';
import { countAudit, readAudit } from '@/lib/audit/list-audit';
import { recordAudit } from '@/lib/audit/record-audit';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { MAX_COUNTED_AUDIT_ENTRIES, MAX_EXPORTED_AUDIT_ENTRIES } from '@/lib/lifecycle/export-policy';
import { holdOrganization } from '@/lib/orgs/orgs-sql';
import { findTenant } from '@/lib/orgs/tenant';
import { MINUTE_MS } from '@/lib/platform/clock';
import { DatabaseClient, directDatabaseUrl } from '@/lib/platform/database-client';
import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { stringify } from '@/lib/platform/json-text';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { type Slot, takeSlot } from '@/lib/platform/slots';
import { type ExportScope, PAGE_ROWS, readPages, SECTIONS } from './sections';
import { findHead } from './sections-sql';

/** An export in progress. It holds a connection with a snapshot until it is closed. */
interface RunningExport {
  fileName: string;
  /** The document's text, an `OrganizationExport`. */
  chunks: AsyncGenerator<string>;
  /** Learns whether the client reads, and ends the export when another one needs its slot. */
  slot: Slot;
  /** Must be called, even when reading fails. */
  close(): Promise<void>;
}

/**
 * Starts the export of an organization: one consistent state, read from a snapshot. The audit entry is written first, so
 * that the export contains it.
 *
 * @throws AppError overloaded when too many exports run; rate_limited when one of them is the caller's or the organization's;
 *   not_found when the organization has just been deleted
 */
export async function exportOrganization(caller: PersonCaller, organizationId: string): Promise<RunningExport> {
  const slot = await takeExportSlot(caller.userId, organizationId);
  try {
    await inTransaction((tx) => recordExport(tx, caller, organizationId));
    const snapshot = await openSnapshot();
    const close = async () => {
      slot.release();
      await snapshot.close();
    };
    try {
      const { at, organization } = await readHead(snapshot, organizationId);
      const head = { exportedAt: at.toISOString(), organization };
      const chunks = writeDocument(head, { sql: snapshot, organizationId, at });
      return { fileName: exportFileName(organization.name, at), chunks, close, slot };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    slot.release();
    throw error;
  }
}

/** The row lock keeps the organization from being deleted between the check and the audit entry. */
async function recordExport(tx: Sql, caller: PersonCaller, organizationId: string): Promise<void> {
  const lock = await holdOrganization.take(tx, organizationId);
  if ((await lock.run(tx, { organization: organizationId })) === 0) throw notFound('organization');
  await recordAudit(tx, caller, 'organization.exported', { organizationId, targetId: organizationId });
}

/** Must be the first statement of the transaction: it takes the snapshot, and `at` is its time. */
async function readHead(sql: Sql, organizationId: string) {
  const row = await findHead.first(sql, { organization: organizationId });
  if (row === undefined) throw notFound('organization');
  const createdAt = row.created_at.toISOString();
  const updatedAt = row.updated_at.toISOString();
  return { at: row.at, organization: { id: row.id, name: row.name, createdAt, updatedAt } };
}

/** Each export holds a connection, and a snapshot that blocks vacuum. */
const EXPORTS = { name: 'organization-exports', atOnce: 2, perOrganization: 1, perOwner: 1, noun: 'export' };

/**
 * Takes one of the process's slots for exports.
 *
 * @throws AppError rate_limited when the person, the organization or its owner has a slot already; overloaded when every slot is
 *   taken and its export is being read, or owners who were refused earlier wait
 */
async function takeExportSlot(userId: string, organizationId: string): Promise<Slot> {
  return takeSlot(EXPORTS, { id: userId, ...(await findTenant(organizationId)) });
}

const MAX_CHARS = 40;

/** Makes a file name for an export that fits into a header: lowercase ASCII letters, digits, dots and dashes only. */
export function exportFileName(organizationName: string, at: Date): string {
  const plain = organizationName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-');
  const stem = plain.slice(0, MAX_CHARS).replaceAll(/^-+|-+$/g, '');
  return `${stem === '' ? 'organization' : stem}-export-${at.toISOString().slice(0, 10)}.json`;
}

/** Writes the text of an export page by page, so that memory holds one page only. */
async function* writeDocument(head: object, scope: ExportScope): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, read] of Object.entries(SECTIONS)) yield* writeList(name, read(scope));
  yield* writeList('auditLogs', newestAudit(scope));
  const total = await countAudit(scope.sql, scope.organizationId, MAX_COUNTED_AUDIT_ENTRIES);
  yield `,"auditLogsTruncated":${total > MAX_EXPORTED_AUDIT_ENTRIES},"auditLogsTotal":${total}}`;
}

async function* writeList(name: string, pages: AsyncIterable<object[]>): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let separator = '';
  for await (const items of pages) {
    yield separator + stringify(items).slice(1, -1);
    separator = ',';
  }
  yield ']';
}

async function* newestAudit({ sql, organizationId }: ExportScope): AsyncGenerator<AuditLogEntry[]> {
  let left = MAX_EXPORTED_AUDIT_ENTRIES;
  const read = async (last: AuditLogEntry | undefined) => {
    const page = { limit: Math.min(PAGE_ROWS, left), cursor: last?.id };
    // All entries match, so a page is full as long as there are more.
    return (await readAudit(sql, { organizationId }, page)).rows;
  };
  for await (const entries of readPages(read, PAGE_ROWS)) {
    yield entries;
    left -= entries.length;
    if (left === 0) return;
  }
}

/** One consistent state of the database. */
interface Snapshot extends Sql {
  /** Closes the connection at once, even during a statement. */
  close(): Promise<void>;
}

/** Far more than a page of an export needs. */
const STATEMENT_TIMEOUT_MS = MINUTE_MS;
/**
 * Longer than the limit for stalled clients. Ends the snapshot of a process that hangs, because a snapshot blocks
 * vacuum.
 */
const IDLE_TIMEOUT_MS = 2 * MINUTE_MS;

/** Opens a snapshot on a dedicated connection: a slow client must not occupy a connection of the pool. */
async function openSnapshot(): Promise<Snapshot> {
  const client = new DatabaseClient({
    connectionString: directDatabaseUrl(),
    application_name: 'event-delivery-service export',
    statementMs: STATEMENT_TIMEOUT_MS,
    idleInTransactionMs: IDLE_TIMEOUT_MS,
  });
  // The current or the next statement reports a broken connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return { query: queryOf(client), close: () => client.end() };
}

/**
 * Queries by callback. Each promise that pg creates keeps the results before it reachable for the collector of young
 * objects: the entire export stayed in memory until the next full collection (30 MB measured).
 */
function queryOf(client: pg.Client): Snapshot['query'] {
  const query = (text: string, values: unknown[]) =>
    new Promise<pg.QueryResult>((resolve, reject) => {
      client.query(text, values, (error, result) => (error ? reject(error) : resolve(result)));
    });
  return query as Snapshot['query'];
}
