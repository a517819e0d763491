import { recordAudit } from '@/lib/audit/record-audit';
import type { AuditAction } from '@/lib/audit/types';
import { mayStoreMore, STORED_RETRY_SECONDS } from '@/lib/orgs/stored-bytes';
import type { JobKind } from '@/lib/platform/continue-job';
import type { Sql } from '@/lib/platform/db';
import type { jobStatements } from '@/lib/platform/sql/job-statements';

interface TriedJob {
  id: string;
  owner_id: string | null;
  project_id: string;
  organization_id: string;
  failed_tries: number;
}

const NEVER_ENDED = 'The worker was stopped, or lost its connection to the database.';

/**
 * Returns what counts the tries of a bulk retry or a replay: each that begins, and those that fail. It audits the end of a job whose last
 * try has failed. One whose owner may store no more waits, which is no failed try.
 * @param action what the audit log calls the end
 */
export function jobTries<Row extends TriedJob>(
  { beginTry, lockTry, reschedule, countFailedTry }: ReturnType<typeof jobStatements>,
  action: AuditAction,
): Pick<JobKind<Row>, 'beginTry' | 'mayStore' | 'postpone' | 'noteFailure'> {
  const auditEnd = (tx: Sql, { id, project_id: projectId, organization_id: organizationId }: Row, reason: string) =>
    recordAudit(tx, { type: 'system' }, action, { organizationId, targetId: id, details: { projectId, reason } });
  return {
    beginTry: async (tx, row) => {
      const { status, failed_tries, began } = await beginTry.one(tx, { job: row.id, reason: NEVER_ENDED });
      if (status === 'FAILED') {
        await auditEnd(tx, row, NEVER_ENDED);
        return null;
      }
      const lock = async (batch: Sql) => (await lockTry.run(batch, { job: row.id, began })) > 0;
      return { job: { ...row, failed_tries }, lock };
    },
    mayStore: (row) => mayStoreMore(row.project_id),
    postpone: (tx, row) => reschedule.run(tx, { job: row.id, seconds: STORED_RETRY_SECONDS }),
    noteFailure: async (tx, row, reason) => {
      const counted = await countFailedTry.first(tx, { job: row.id, tries: row.failed_tries, reason });
      if (counted?.status === 'FAILED') await auditEnd(tx, row, reason);
    },
  };
}
