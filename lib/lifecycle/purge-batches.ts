import type { Sql } from '@/lib/platform/db';
import {
  deleteAttempts,
  deleteBatch,
  deleteDeliveries,
  deleteStats,
  deleteStoredBytes,
  lockProject,
  type ProjectTable,
} from './purge-sql';

/** Deletes a batch of a project's rows above an id. Returns the highest id of the batch, null when no row was found. */
export type PurgeBatch = (tx: Sql, projectId: string, aboveId: string) => Promise<string | null>;

/** Makes the batch for a table. */
export function tableBatch(table: ProjectTable): PurgeBatch {
  return async (tx, projectId, aboveId) => (await deleteBatch[table].first(tx, projectId, aboveId))?.id ?? null;
}

/**
 * Deletes a batch of deliveries with their attempts. Attempts have no index by project and no foreign key: they are
 * found by their deliveries, and deleted after those, when no worker can record another attempt.
 */
export async function deliveriesBatch(tx: Sql, projectId: string, aboveId: string): Promise<string | null> {
  const rows = await deleteDeliveries.all(tx, projectId, aboveId);
  const ids = rows.map(({ id }) => id).toSorted();
  if (ids.length > 0) await deleteAttempts.run(tx, ids);
  return ids.at(-1) ?? null;
}

/**
 * Deletes a batch of a project's statistics. The lock waits for a worker that is adding some, and later ones see that the
 * project is deleted.
 */
export async function statsBatch(tx: Sql, projectId: string, aboveId: string): Promise<string | null> {
  await lockProject.run(tx, projectId);
  return (await deleteStats.run(tx, projectId)) === 0 ? null : aboveId;
}

/** Deletes the rows of a project's bytes at once: few thousand at most. */
export async function storedBytesBatch(tx: Sql, projectId: string): Promise<null> {
  await lockProject.run(tx, projectId);
  await deleteStoredBytes.run(tx, projectId);
  return null;
}
