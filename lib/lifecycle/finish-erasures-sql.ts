import { uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

export const MAX_PROJECTS = 100;

/** Selects projects that are deleted, alone or with their organization, and not removed yet; oldest first. */
export const selectDeletedProjects = statement(
  `
  SELECT id FROM projects WHERE deleted_at IS NOT NULL
  UNION SELECT p.id FROM projects p JOIN organizations o ON o.id = p.organization_id WHERE o.deleted_at IS NOT NULL
  ORDER BY id LIMIT ${MAX_PROJECTS}`,
  { id: uuid },
);

/** Selects deleted organizations whose projects have been removed. */
export const selectDeletedOrganizations = statement(
  `
  SELECT o.id FROM organizations o WHERE o.deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM projects p WHERE p.organization_id = o.id) ORDER BY o.id LIMIT 1000`,
  { id: uuid },
);

/** Selects people erased within an hour: every request that was authorized before the erasure has ended by then. */
export const selectRecentlyErased = statement(
  `SELECT id FROM users WHERE erased_at > now() - interval '1 hour' ORDER BY id`,
  { id: uuid },
);

/**
 * Deletes the last mail to an erased person when it could not be sent: retention keeps dead rows for months. The index on
 * dead rows is small.
 */
export const deleteDeadMails = statement(`
  DELETE FROM outbox o USING users u
  WHERE o.status = 'DEAD' AND o.kind = 'MAIL' AND u.id = o.user_id AND u.erased_at IS NOT NULL`);
