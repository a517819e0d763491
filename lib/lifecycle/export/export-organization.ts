import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { findTenant } from '@/lib/orgs/find-tenant';
import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { type Slot, takeSlot } from '@/lib/platform/slots';
import { findHead, holdOrganization } from './sections-sql';
import { openSnapshot } from './snapshot';
import { writeDocument } from './write-document';

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
  if ((await holdOrganization.run(tx, organizationId)) === 0) throw notFound('organization');
  await recordAudit(tx, caller, {
    action: 'organization.exported',
    organizationId,
    target: { type: 'organization', id: organizationId },
  });
}

/** Must be the first statement of the transaction: it takes the snapshot, and `at` is its time. */
async function readHead(sql: Sql, organizationId: string) {
  const row = await findHead.first(sql, organizationId);
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
 *   taken and its export is being read
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
