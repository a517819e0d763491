import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { AuditAction } from '@/lib/audit/types';
import type { Transaction } from '@/lib/platform/prisma/transaction';
import type { DestinationPath } from './queries';

/** Audits a change of a destination in its transaction. `details` must not contain a credential. */
export async function auditDestination(
  tx: Transaction,
  caller: PersonCaller | KeyCaller,
  action: AuditAction & `destination.${string}`,
  { projectId, sourceId, destinationId }: DestinationPath,
  details: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(tx, caller, {
    action,
    organizationId: caller.organizationId,
    target: { type: 'destination', id: destinationId },
    details: { projectId, sourceId, ...details },
  });
}
