import { byIndex } from '@/lib/platform/sql/bounded-scan';
import { nullable, timestamp, uuid } from '@/lib/platform/sql/column';
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

/** Finds when each of some projects stored its newest event. An index finds each. $1 projects, at most a page of them. */
export const findLastEvents = statement(
  `SELECT p.id AS project_id,
     (SELECT e.created_at FROM events e WHERE ${byIndex('e.project_id', 'p.id', 'e.id')}
      ORDER BY e.project_id DESC, e.id DESC LIMIT 1) AS at
   FROM unnest($1::uuid[]) AS p(id)`,
  { project_id: uuid, at: nullable(timestamp) },
);
