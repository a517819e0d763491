import type { TargetKind } from '@/lib/delivery/engine/types';
import { boolean, text, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

type Table = 'endpoints' | 'destinations';
type TargetColumn = 'endpoint_id' | 'destination_id';

/** Makes a statement for each kind of target. */
const byKind = <T>(make: (table: Table, targetColumn: TargetColumn) => T): Readonly<Record<TargetKind, T>> => ({
  endpoint: make('endpoints', 'endpoint_id'),
  destination: make('destinations', 'destination_id'),
});

/** Locks rows by id before the UPDATE, which alone would lock them in any order and could deadlock. $1 targets. */
const setFailingSince = (value: 'NULL' | 'now()', condition: string) =>
  byKind((table) =>
    statement(
      `WITH locked AS MATERIALIZED (
         SELECT id FROM ${table} WHERE id = ANY($1) AND ${condition} ORDER BY id FOR NO KEY UPDATE)
       UPDATE ${table} t SET failing_since = ${value} FROM locked WHERE t.id = locked.id`,
    ),
  );

/** Notes that targets $1 work. */
export const endFailures = setFailingSince('NULL', 'failing_since IS NOT NULL');
/** Notes that targets $1 fail from now on, unless they did before. */
export const beginFailures = setFailingSince('now()', 'failing_since IS NULL');
/** Notes that targets $1 fail from now on, even if they did before. */
export const restartFailures = setFailingSince('now()', 'true');

/** Selects those of targets $1 that have failed for $2 hours. */
export const selectFailing = byKind((table, targetColumn) =>
  statement(
    `SELECT t.id, EXISTS (SELECT FROM deliveries d WHERE d.${targetColumn} = t.id AND d.status = 'SUCCEEDED'
                          AND d.completed_at >= t.failing_since) AS has_succeeded
     FROM ${table} t
     WHERE t.id = ANY($1) AND t.enabled AND t.failing_since <= now() - make_interval(hours => $2)`,
    { id: uuid, has_succeeded: boolean },
  ),
);

const DISABLED = { url: text, project_id: uuid, project_name: text, organization_id: uuid };
export type DisabledTarget = RowOf<typeof DISABLED>;

/** Disables target $1 for the reason $2, unless another worker has. */
export const disable = byKind((table) =>
  statement(
    `UPDATE ${table} t
     SET enabled = false, disabled_reason = $2, disabled_at = now(), updated_at = now()
     FROM projects p
     WHERE t.id = $1 AND t.enabled AND t.deleted_at IS NULL AND p.id = t.project_id
     RETURNING t.url, p.id AS project_id, p.name AS project_name, p.organization_id`,
    DISABLED,
  ),
);

/** Makes the commit of this transaction wait for the disk: records of attempts are committed without. */
export const commitDurably = statement('SET LOCAL synchronous_commit = on');

/** Selects the owners of an organization. */
export const selectOwners = statement(
  `SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
   WHERE m.organization_id = $1 AND m.role = 'OWNER' AND u.erased_at IS NULL ORDER BY u.id`,
  { id: uuid, email: text },
);
