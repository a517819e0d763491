import { recordAudit } from '@/lib/audit/record-audit';
import { addressOf } from '@/lib/delivery/engine/targets';
import type { TargetKind } from '@/lib/delivery/engine/types';
import type { DisableReason } from '@/lib/delivery/worker-counters';
import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import { commitDurably, type DisabledTarget, disable, selectOwners } from './target-health-sql';

const EXPLANATIONS: Record<DisableReason, string> = {
  gone: 'It responded with 410 Gone, which means it wants no more events.',
  failing: 'Every attempt in the last 120 hours failed.',
};

/**
 * Disables a target, writes the audit entry and emails the owners of the organization, in the caller's transaction.
 *
 * @returns false if another worker has disabled it; then nothing is written
 */
export async function disableTarget(tx: Sql, kind: TargetKind, id: string, reason: DisableReason): Promise<boolean> {
  const row = await disable[kind].first(tx, id, reason);
  if (row === undefined) return false;
  await commitDurably.run(tx);
  await recordAudit(
    tx,
    { type: 'system' },
    {
      action: `${kind}.disabled`,
      organizationId: row.organization_id,
      target: { type: kind, id },
      details: { projectId: row.project_id, reason },
    },
  );
  await tellOwners(tx, kind, row, reason);
  return true;
}

async function tellOwners(tx: Sql, kind: TargetKind, row: DisabledTarget, reason: DisableReason): Promise<void> {
  const owners = await selectOwners.all(tx, row.organization_id);
  const mail = layOutMail({
    subject: `${kind === 'endpoint' ? 'An endpoint' : 'A destination'} in ${row.project_name} was disabled`,
    paragraphs: [
      `We stopped sending to ${shownAddress(row.url)}. ${EXPLANATIONS[reason]}`,
      'Enable it once it works again. You can retry failed deliveries from the dashboard.',
    ],
    action: {
      label: kind === 'endpoint' ? 'View endpoints' : 'View sources',
      url: `${config().baseUrl}/projects/${row.project_id}/${kind === 'endpoint' ? 'endpoints' : 'sources'}`,
    },
  });
  for (const owner of owners) await enqueueMail(tx, { ...mail, to: owner.email, userId: owner.id });
}

/** The URL without its query, which may contain a token: people may forward an email. */
function shownAddress(url: string): string {
  const { origin, path } = addressOf(url);
  return origin + path.replace(/\?.*$/s, '');
}
