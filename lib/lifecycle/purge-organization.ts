import { setTimeout as sleep } from 'node:timers/promises';
import { database, type Sql } from '@/lib/platform/db';
import { FEW_TRIES, retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import { type PurgePace, purgeProject } from './purge-project';
import {
  deleteOrganization,
  findDeletedOrganization,
  scrubTargetNames,
  selectProjects,
  wakeErasure,
} from './purge-sql';
import { scrubAudit } from './scrub-audit';

const TRY_AGAIN_MS = 100;
/** How long the request waits for the names in one audit log, after its projects. */
const SCRUB_MS = 500;

/** Removes deleted organizations with everything in them for at most `budgetMs`; workers remove the rest. */
export async function purgeOrganizations(ids: readonly string[], budgetMs: number): Promise<void> {
  const pace: PurgePace = { endsAt: performance.now() + budgetMs, isPaced: false };
  for (const id of ids) {
    while (!(await purgeOrganization(id, pace))) {
      if (performance.now() + TRY_AGAIN_MS >= pace.endsAt) {
        await wakeErasure.run(database());
        return;
      }
      await sleep(TRY_AGAIN_MS);
    }
  }
}

/** @returns whether the organization is gone */
async function purgeOrganization(id: string, pace: PurgePace): Promise<boolean> {
  for (const [index, project] of (await selectProjects.all(database(), { organization: id })).entries()) {
    if (index > 0 && performance.now() >= pace.endsAt) return false;
    if ((await purgeProject(project.id, pace)) !== 'gone') return false;
  }
  return removeOrganization(id, { endsAt: performance.now() + SCRUB_MS, isPaced: false });
}

/**
 * Deletes the row of a deleted organization without projects, and all names in its audit log. Foreign keys delete its invitations, and clear the
 * organization of sessions and people.
 *
 * @returns whether the organization is gone
 */
export async function removeOrganization(id: string, pace: PurgePace): Promise<boolean> {
  // The operator keeps the audit log, without the names of what the organization had.
  const scrub = (tx: Sql, above: string) => scrubTargetNames.first(tx, { organization: id, above });
  if (!(await scrubAudit(id, scrub, pace))) return false;
  return retryLockedTransaction(async (tx) => {
    await lockCopiedTables(tx);
    await deleteOrganization.run(tx, { organization: id });
    return (await findDeletedOrganization.run(tx, { organization: id })) === 0;
  }, FEW_TRIES);
}
