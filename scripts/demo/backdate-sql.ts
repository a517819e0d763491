import { nullable, text, textOf, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

export const BACKDATED_TABLES = [
  ...(['organizations', 'projects', 'api_keys', 'endpoints', 'subscriptions', 'sources', 'destinations'] as const),
  ...(['tunnels', 'invitations'] as const),
];
export type BackdatedTable = (typeof BACKDATED_TABLES)[number];

/** Selects what the API has created in organization $1 and its project $2, with what names it in the demo. */
export const selectCreated = statement(
  `SELECT 'organizations' AS "table", id, name, created_at AS at FROM organizations WHERE id = $1
   UNION ALL SELECT 'projects', id, name, created_at FROM projects WHERE id = $2
   UNION ALL SELECT 'api_keys', id, name, created_at FROM api_keys WHERE project_id = $2
   UNION ALL SELECT 'endpoints', id, description, created_at FROM endpoints WHERE project_id = $2
   UNION ALL SELECT 'subscriptions', s.id, e.description, s.created_at
     FROM subscriptions s JOIN endpoints e ON e.id = s.endpoint_id WHERE s.project_id = $2
   UNION ALL SELECT 'sources', id, name, created_at FROM sources WHERE project_id = $2
   UNION ALL SELECT 'destinations', id, description, created_at FROM destinations WHERE project_id = $2
   UNION ALL SELECT 'tunnels', id, name, created_at FROM tunnels WHERE project_id = $2
   UNION ALL SELECT 'invitations', id, email, created_at FROM invitations WHERE organization_id = $1`,
  { table: textOf<BackdatedTable>(), id: uuid, name: nullable(text), at: timestamp },
);

/** What else an older row of a table has: `m.at` is when it was created. */
const OTHER_TIMES: Partial<Record<BackdatedTable, string>> = {
  api_keys: `last_used_at = CASE WHEN t.scope = 'READ_ONLY' THEN now() - interval '14 hours' ELSE now() - interval '3 minutes' END`,
  tunnels: `updated_at = m.at, last_seen_at = CASE WHEN t.test_status IS NULL THEN now() - interval '2 hours' END`,
  invitations: 'expires_at = t.expires_at - (t.created_at - m.at)',
};

/** Moves rows of a table back. $1 ids, $2 times. */
export const moveRows = Object.fromEntries(
  BACKDATED_TABLES.map((table) => [
    table,
    statement(
      `UPDATE ${table} t SET created_at = m.at, ${OTHER_TIMES[table] ?? 'updated_at = m.at'}
       FROM unnest($1::uuid[], $2::timestamptz[]) AS m(id, at) WHERE t.id = m.id`,
    ),
  ]),
) as unknown as Record<BackdatedTable, ReturnType<typeof statement>>;

/**
 * Makes owner $2 of organization $1 as old as time $3, and the membership as old as the organization, which tells who created it. The
 * address was confirmed minutes later.
 */
export const moveOwner = statement(
  `WITH u AS (UPDATE users SET created_at = $3, email_verified_at = $3::timestamptz + interval '4 minutes' WHERE id = $2)
   UPDATE memberships SET created_at = o.created_at FROM organizations o
   WHERE o.id = $1 AND organization_id = $1 AND user_id = $2`,
);

/** Selects the audit entries of organization $1 and of account $2, oldest first. */
export const selectAudit = statement(
  `SELECT id, action, target_id, created_at AS at FROM audit_log
   WHERE organization_id = $1 OR organization_id IS NULL AND target_id = $2 ORDER BY id`,
  { id: uuid, action: text, target_id: nullable(uuid), at: timestamp },
);

/** Lets this transaction move entries of the audit log. No other one can write to it until this one has ended. */
export const openAudit = statement('ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only');
export const closeAudit = statement('ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only');

/** Moves audit entries back: lists read them by id. $1 ids, $2 new ids, $3 times, $4 the address of people. */
export const moveAudit = statement(
  `UPDATE audit_log a SET id = m.new_id, created_at = m.at,
     ip_address = CASE WHEN a.actor_type = 'USER' THEN $4 ELSE a.ip_address END
   FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS m(id, new_id, at) WHERE a.id = m.id`,
);
