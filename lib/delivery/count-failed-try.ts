import { recordAudit } from '@/lib/audit/record-audit';
import type { AuditAction } from '@/lib/audit/types';
import type { Sql } from '@/lib/platform/db';
import type { jobStatements } from '@/lib/platform/sql/job-statements';

interface TriedJob {
  id: string;
  project_id: string;
  organization_id: string;
  failed_tries: number;
}

/**
 * Returns what counts a failed try of a bulk retry or a replay, and audits its end when that was the last one.
 * @param action what the audit log calls the end
 */
export function failedTryCounter(
  { countFailedTry }: ReturnType<typeof jobStatements>,
  action: AuditAction,
): (tx: Sql, job: TriedJob, reason: string) => Promise<void> {
  return async (tx, { id, project_id: projectId, organization_id: organizationId, failed_tries: tries }, reason) => {
    const counted = await countFailedTry.first(tx, { job: id, tries, reason });
    if (counted?.status !== 'FAILED') return;
    const details = { projectId, reason };
    await recordAudit(tx, { type: 'system' }, action, { organizationId, targetId: id, details });
  };
}
