import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import type { SqlTransaction } from '@/lib/platform/db';
import { newIdAt } from '@/lib/platform/ids';
import { NEW_CUSTOMER } from './customers';
import { HISTORY_DAYS } from './history';
import { ADDRESS_OF_ADA, DOROTHY, KATHERINE } from './people';

/** The organization is older than its history, which needs endpoints. */
export const SETUP_MS_AGO = (HISTORY_DAYS + 2) * DAY_MS;
/** How long its owner took to set it up. */
const SETUP_MS = 5 * HOUR_MS;

/** When the rest was created, by name. The test receiver is too new to have missed events. */
const LATER_MS_AGO: Readonly<Record<string, number>> = {
  Reporting: 25 * DAY_MS,
  'ada-laptop': 20 * DAY_MS,
  [KATHERINE]: 2 * DAY_MS,
  [DOROTHY]: 5 * HOUR_MS,
  [NEW_CUSTOMER]: DAY_MS,
  'Test receiver': 3 * MINUTE_MS,
};

/** What else an older row of a table has: `m.at` is when it was created. */
const OTHER_TIMES: Readonly<Record<string, readonly string[]>> = {
  organizations: ['updated_at = m.at'],
  projects: ['updated_at = m.at'],
  api_keys: [],
  customers: ['updated_at = m.at'],
  endpoints: ['updated_at = m.at'],
  subscriptions: ['updated_at = m.at'],
  sources: ['updated_at = m.at'],
  destinations: ['updated_at = m.at'],
  tunnels: ['updated_at = m.at'],
  invitations: ['expires_at = t.expires_at - (t.created_at - m.at)'],
};

/** Sets when the keys of project $1 were used last. */
const USE_KEYS = `
  INSERT INTO key_uses (key_id, last_used_at)
  SELECT id, now() - CASE WHEN scope = 'READ_ONLY' THEN interval '14 hours' ELSE interval '3 minutes' END
  FROM api_keys WHERE project_id = $1
  ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at`;

/** Sets when the tunnels of project $1 were seen last. */
const USE_TUNNELS = `UPDATE tunnels SET last_seen_at = now() - interval '2 hours' WHERE project_id = $1 AND test_status IS NULL`;

/** Selects what the API has created in organization $1 and its project $2, with what names it in the demo. */
const SELECT_CREATED = `
  SELECT 'organizations' AS "table", id, name, created_at AS at FROM organizations WHERE id = $1
  UNION ALL SELECT 'projects', id, name, created_at FROM projects WHERE id = $2
  UNION ALL SELECT 'api_keys', id, name, created_at FROM api_keys WHERE project_id = $2
  UNION ALL SELECT 'customers', id, uid, created_at FROM customers WHERE project_id = $2
  UNION ALL SELECT 'endpoints', id, description, created_at FROM endpoints WHERE project_id = $2
  UNION ALL SELECT 'subscriptions', s.id, e.description, s.created_at
    FROM subscriptions s JOIN endpoints e ON e.id = s.endpoint_id WHERE s.project_id = $2
  UNION ALL SELECT 'sources', id, name, created_at FROM sources WHERE project_id = $2
  UNION ALL SELECT 'destinations', id, description, created_at FROM destinations WHERE project_id = $2
  UNION ALL SELECT 'tunnels', id, name, created_at FROM tunnels WHERE project_id = $2
  UNION ALL SELECT 'invitations', id, email, created_at FROM invitations WHERE organization_id = $1`;

/** Selects the audit entries of organization $1 and of account $2, oldest first, but for its session: that is open now. */
const SELECT_AUDIT = `
  SELECT id, action, target_id, created_at AS at FROM audit_log
  WHERE (organization_id = $1 OR organization_id IS NULL AND target_id = $2) AND action <> 'session.created' ORDER BY id`;

interface CreatedRow {
  table: string;
  id: string;
  name: string | null;
  at: Date;
}

interface AuditRow {
  id: string;
  action: string;
  target_id: string | null;
  at: Date;
}

/** Makes what the API has created seconds ago as old as the history, in the same order, with its audit entries. */
export async function backdate(
  tx: SqlTransaction,
  demo: { organizationId: string; projectId: string; userId: string },
  now: Date,
): Promise<void> {
  const { organizationId, projectId, userId } = demo;
  const { rows: created } = await tx.query<CreatedRow>(SELECT_CREATED, [organizationId, projectId]);
  const { rows: entries } = await tx.query<AuditRow>(SELECT_AUDIT, [organizationId, userId]);
  const since = addMs(now, -SETUP_MS_AGO);
  const stretch = makeStretch([...created, ...entries], since);
  const moved = created.map((row) => {
    const msAgo = LATER_MS_AGO[row.name ?? ''];
    return { ...row, at: msAgo === undefined ? stretch(row.at) : addMs(now, -msAgo) };
  });
  for (const [table, otherTimes] of Object.entries(OTHER_TIMES)) {
    const rows = moved.filter((row) => row.table === table);
    await tx.query(
      `UPDATE ${table} t SET ${['created_at = m.at', ...otherTimes].join(', ')}
       FROM unnest($1::uuid[], $2::timestamptz[]) AS m(id, at) WHERE t.id = m.id`,
      [rows.map(({ id }) => id), rows.map(({ at }) => at)],
    );
  }
  await tx.query(USE_KEYS, [projectId]);
  await tx.query(USE_TUNNELS, [projectId]);
  // The membership is as old as the organization, which tells who created it. The address was confirmed minutes later.
  await tx.query(
    `UPDATE users SET created_at = $2, email_verified_at = $2::timestamptz + interval '4 minutes' WHERE id = $1`,
    [userId, since],
  );
  await tx.query(
    `UPDATE memberships SET created_at = o.created_at FROM organizations o
     WHERE o.id = $1 AND organization_id = $1 AND user_id = $2`,
    [organizationId, userId],
  );
  await moveAudit(tx, entries, new Map(moved.map(({ id, at }) => [id, at])), stretch);
}

/** Returns a function that spreads the times of rows over the hours of the setup, from its start on. */
function makeStretch(rows: readonly { at: Date }[], start: Date): (at: Date) => Date {
  const times = rows.map(({ at }) => at.getTime());
  const first = Math.min(...times);
  const last = Math.max(...times);
  return (at) => addMs(start, Math.round(((at.getTime() - first) / Math.max(1, last - first)) * SETUP_MS));
}

/** The log refuses changes. The demo makes one of its own organization, since it would otherwise contradict itself. */
async function moveAudit(
  tx: SqlTransaction,
  entries: readonly AuditRow[],
  times: ReadonlyMap<string, Date>,
  stretch: (at: Date) => Date,
): Promise<void> {
  const moved = entries.map(({ id, action, target_id, at }, n) => {
    const created = action.endsWith('.created') ? times.get(target_id ?? '') : undefined;
    // Entries of one time keep their order.
    return { id, at: addMs(created ?? stretch(at), n) };
  });
  // No other transaction can write to the log until this one has ended.
  await tx.query('ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only');
  await tx.query(
    `UPDATE audit_log a SET id = m.new_id, created_at = m.at,
       ip_address = CASE WHEN a.actor_type = 'USER' THEN $4 ELSE a.ip_address END
     FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS m(id, new_id, at) WHERE a.id = m.id`,
    [moved.map(({ id }) => id), moved.map(({ at }) => newIdAt(at)), moved.map(({ at }) => at), ADDRESS_OF_ADA],
  );
  await tx.query('ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only');
}
