import { setTimeout as sleep } from 'node:timers/promises';
import { database } from '@/lib/platform/db';
import { FEW_TRIES, retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { type PurgePace, purgeProject } from './purge-project';

const TRY_AGAIN_MS = 100;

/** Removes deleted organizations with everything in them for at most `budgetMs`; workers remove the rest. */
export async function purgeOrganizations(ids: readonly string[], budgetMs: number): Promise<void> {
  const pace: PurgePace = { endsAt: performance.now() + budgetMs, isPaced: false };
  for (const id of ids) {
    while (!(await purgeOrganization(id, pace))) {
      if (performance.now() + TRY_AGAIN_MS >= pace.endsAt) return wakeWorkers();
      await sleep(TRY_AGAIN_MS);
    }
  }
}

/** Without it, workers poll within a minute. */
async function wakeWorkers(): Promise<void> {
  await database().query(`SELECT pg_notify('eds_erasure', '')`);
}

/** @returns whether the organization is gone */
async function purgeOrganization(id: string, pace: PurgePace): Promise<boolean> {
  const { rows } = await database().query<{ id: string }>('SELECT id FROM projects WHERE organization_id = $1', [id]);
  for (const project of rows) {
    if ((await purgeProject(project.id, pace)) !== 'gone') return false;
  }
  return removeOrganization(id);
}

/**
 * Deletes the row of a deleted organization without projects. Foreign keys delete its invitations, and clear the
 * organization of sessions and people.
 *
 * @returns whether the organization is gone
 */
export async function removeOrganization(id: string): Promise<boolean> {
  return retryLockedTransaction(async (tx) => {
    await tx.query(
      `DELETE FROM organizations o WHERE o.id = $1 AND o.deleted_at IS NOT NULL
         AND NOT EXISTS (SELECT FROM projects p WHERE p.organization_id = o.id)`,
      [id],
    );
    const { rowCount } = await tx.query('SELECT FROM organizations WHERE id = $1 AND deleted_at IS NOT NULL', [id]);
    return rowCount === 0;
  }, FEW_TRIES);
}
