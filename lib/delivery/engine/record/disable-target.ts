import { recordAudit } from '@/lib/audit/record-audit';
import { addressOf } from '@/lib/delivery/engine/targets';
import type { TargetKind } from '@/lib/delivery/engine/types';
import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';

type DisableReason = 'gone' | 'failing';

const TABLES: Record<TargetKind, string> = { endpoint: 'endpoints', destination: 'destinations' };
const EXPLANATIONS: Record<DisableReason, string> = {
  gone: 'It answered 410 Gone, which means that it wants no more events.',
  failing: 'Every attempt to reach it in the last 120 hours has failed.',
};

interface DisabledRow {
  url: string;
  project_id: string;
  project_name: string;
  organization_id: string;
}

/**
 * Disables a target, writes the audit entry and sends a mail to the owners of the organization, in the caller's transaction. Does
 * nothing if another worker has disabled it.
 */
export async function disableTarget(tx: Sql, kind: TargetKind, id: string, reason: DisableReason): Promise<void> {
  const { rows } = await tx.query<DisabledRow>(
    `UPDATE ${TABLES[kind]} t
     SET enabled = false, disabled_reason = $2, disabled_at = now(), updated_at = now()
     FROM projects p
     WHERE t.id = $1 AND t.enabled AND t.deleted_at IS NULL AND p.id = t.project_id
     RETURNING t.url, p.id AS project_id, p.name AS project_name, p.organization_id`,
    [id, reason],
  );
  const [row] = rows;
  if (row === undefined) return;
  // Records of attempts are committed without waiting for the disk. This change must be durable.
  await tx.query('SET LOCAL synchronous_commit = on');
  await recordAudit(
    tx,
    { type: 'system' },
    {
      action: 'endpoint.disabled',
      organizationId: row.organization_id,
      target: { type: kind, id },
      details: { projectId: row.project_id, reason },
    },
  );
  await tellOwners(tx, kind, row, reason);
}

async function tellOwners(tx: Sql, kind: TargetKind, row: DisabledRow, reason: DisableReason): Promise<void> {
  const owners = await tx.query<{ id: string; email: string }>(
    `SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.role = 'OWNER' AND u.erased_at IS NULL ORDER BY u.id`,
    [row.organization_id],
  );
  const mail = layOutMail({
    subject: `An ${kind === 'endpoint' ? 'endpoint' : 'address'} in ${row.project_name} was disabled`,
    paragraphs: [
      `We stopped sending to ${shownAddress(row.url)}. ${EXPLANATIONS[reason]}`,
      'Once it works again, enable it. Deliveries that failed can be retried from the dashboard.',
    ],
    action: {
      label: kind === 'endpoint' ? 'Open endpoints' : 'Open sources',
      url: `${config().baseUrl}/projects/${row.project_id}/${kind === 'endpoint' ? 'endpoints' : 'sources'}`,
    },
  });
  for (const owner of owners.rows) await enqueueMail(tx, { ...mail, to: owner.email, userId: owner.id });
}

/** The URL without its query, which may contain a token: people may forward a mail. */
function shownAddress(url: string): string {
  const { origin, path } = addressOf(url);
  return origin + path.replace(/\?.*$/s, '');
}
