import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { lockLiveProject } from './orgs-sql';

/**
 * Locks a project, so that changes which count its rows run one after the other.
 * @throws AppError not_found when it is being deleted
 */
export async function lockProject(tx: Sql, projectId: string): Promise<void> {
  const isLive = (await lockLiveProject.run(tx, projectId)) > 0;
  if (!isLive) throw notFound('project');
}
