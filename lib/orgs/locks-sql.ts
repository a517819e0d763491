import { uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Locks those of these organizations that are live, in the order of ids, and returns their ids. $1 ids. */
export const lockLiveOrganizations = statement(
  'SELECT id FROM organizations WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL ORDER BY id FOR UPDATE',
  { id: uuid },
);

/** Locks a live organization before a project is added to it. $1 organization. */
export const lockForNewProject = statement(
  'SELECT FROM organizations WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
);

/**
 * Locks a live project. $1 project.
 *
 * Rows that reference the project, such as events, take KEY SHARE, which this lock allows. Another such lock, a
 * deletion and an erasure wait. Code that also locks a row below the project must lock the project first.
 */
export const lockLiveProject = statement(
  'SELECT 1 FROM projects WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
);
