import { setTimeout as sleep } from 'node:timers/promises';
import { database } from '@/lib/platform/db';
import { FEW_TRIES, yieldingTransaction } from '@/lib/platform/yielding-transaction';
import { type PurgePace, purgeProject } from './purge-project';

const TRY_AGAIN_MS = 100;

/**
 * Removes deleted organizations with all that is in them, for as long as `budgetMs` allows; workers go on with what is left.
 */
export async function purgeOrganizations(ids: readonly string[], budgetMs: number): Promise<void> {
  const pace: PurgePace = { endsAt: performance.now() + budgetMs, isPaced: false };
  for (const id of ids) {
    while (!(await purgeOrganization(id, pace))) {
      if (performance.now() + TRY_AGAIN_MS >= pace.endsAt) return wakeWorkers();
      await sleep(TRY_AGAIN_MS);
    }
  }
}

/** They would look by themselves within a minute. */
async function wakeWorkers(): Promise<void> {
  await database().query(`SELECT pg_notify('eds_erasure', '')`);
}

/** @returns whether it is gone */
async function purgeOrganization(id: string, pace: PurgePace): Promise<boolean> {
  const { rows } = await database().query<{ id: string }>('SELECT id FROM projects WHERE organization_id = $1', [id]);
  for (const project of rows) {
    if ((await purgeProject(project.id, pace)) !== 'gone') return false;
  }
  return removeOrganization(id);
}

/**
 * Removes the row of a deleted organization that has no project left, and with it invitations and what else hangs on it;
 * sessions and people that were in it are in none.
 *
 * @returns whether it is gone
 */
export async function removeOrganization(id: string): Promise<boolean> {
  return yieldingTransaction(async (tx) => {
    await tx.query(
      `DELETE FROM organizations o WHERE o.id = $1 AND o.deleted_at IS NOT NULL
         AND NOT EXISTS (SELECT FROM projects p WHERE p.organization_id = o.id)`,
      [id],
    );
    const { rowCount } = await tx.query('SELECT FROM organizations WHERE id = $1 AND deleted_at IS NOT NULL', [id]);
    return rowCount === 0;
  }, FEW_TRIES);
}
