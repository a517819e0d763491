import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';

/*
 * Rows that reference the project, such as events, take KEY SHARE, which this lock allows. Another such lock, a
 * deletion and an erasure wait. Code that also locks a row below the project must lock the project first.
 */
const LOCK_SQL = 'SELECT 1 FROM projects WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE';

/**
 * Locks a project, so that changes which count its rows run one after the other.
 * @throws AppError not_found when it is being deleted
 */
export async function lockProject(tx: Sql, projectId: string): Promise<void> {
  const { rowCount } = await tx.query(LOCK_SQL, [projectId]);
  if (rowCount === 0) throw notFound('project');
}
