import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';

interface RenameTarget {
  type: 'organization' | 'project';
  id: string;
  organizationId: string;
}

/** Runs the statement that renames `target`. Audits it, unless it changed no row. */
export function auditedRename(
  caller: PersonCaller,
  { type, id, organizationId }: RenameTarget,
  rename: (prisma: Transaction['prisma']) => Promise<{ count: number }>,
): Promise<void> {
  return inTransaction(async (tx) => {
    const { count } = await rename(tx.prisma);
    if (count === 0) return;
    await recordAudit(tx, caller, {
      action: `${type}.updated`,
      organizationId,
      target: { type, id },
      details: { fields: ['name'] },
    });
  });
}
