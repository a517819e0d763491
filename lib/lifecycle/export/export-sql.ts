import { text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Locks organization $1 against deletion. Returns a row unless it is deleted. */
export const holdOrganization = statement('SELECT FROM organizations WHERE id = $1 AND deleted_at IS NULL FOR SHARE');

/** Reads organization $1. `at` is the time of the snapshot if this is its first statement. */
export const findHead = statement(
  `SELECT id, name, created_at, updated_at, clock_timestamp() AS at
   FROM organizations WHERE id = $1 AND deleted_at IS NULL`,
  { id: uuid, name: text, created_at: timestamp, updated_at: timestamp, at: timestamp },
);
