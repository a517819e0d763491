import { recordAudit } from '@/lib/audit/record-audit';
import { addressOf } from '@/lib/delivery/engine/targets';
import type { Outcome, Target, TargetKind } from '@/lib/delivery/engine/types';
import type { DisableReason } from '@/lib/delivery/worker-counters';
import { HOUR_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import {
  beginFailures,
  commitDurably,
  type DisabledTarget,
  disable,
  endFailures,
  restartFailures,
  selectFailing,
  selectOwners,
} from './record-sql';

/** The response status that asks for no more events. */
export const GONE_STATUS = 410;
const FAILING_LIMIT_HOURS = 120;
/** The clock of this process may differ from the database's by this much. The database's clock decides. */
const CLOCK_LEEWAY_HOURS = 1;
const KINDS: readonly TargetKind[] = ['endpoint', 'destination'];

interface TargetHealth {
  disabled: Target[];
  /** By id. */
  reasons: ReadonlyMap<string, DisableReason>;
}

/**
 * Whether outcomes may change the health of their targets. Most do not: successes of healthy targets, and failures of targets that
 * are known to be failing but not for long.
 */
export function concernsHealth(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ result, target: { failingSinceMs } }) => {
    if (result.succeeded) return failingSinceMs !== null;
    if (result.responseStatus === GONE_STATUS || failingSinceMs === null) return true;
    return Date.now() - failingSinceMs >= (FAILING_LIMIT_HOURS - CLOCK_LEEWAY_HOURS) * HOUR_MS;
  });
}

/**
 * Updates when the failures of each target began, and disables targets that answered 410 Gone or have failed for 120 hours without
 * a success (docs/specification.md#deliveries). Runs in the transaction that records the attempts.
 *
 * @returns the targets that were disabled, with the reason of those that were disabled here
 */
export async function updateHealth(tx: Sql, outcomes: readonly Outcome[]): Promise<TargetHealth> {
  const disabled: Target[] = [];
  const reasons = new Map<string, DisableReason>();
  for (const kind of KINDS) {
    const ofKind = outcomes.filter(({ target }) => target.kind === kind);
    await noteRecoveries(
      tx,
      kind,
      idsOf(ofKind, ({ result, target }) => result.succeeded && target.failingSinceMs !== null),
    );
    const failed = idsOf(ofKind, ({ result }) => !result.succeeded);
    const gone = new Set(idsOf(ofKind, ({ result }) => result.responseStatus === GONE_STATUS));
    const failing = new Set(await noteFailures(tx, kind, failed));
    for (const id of failed.filter((each) => gone.has(each) || failing.has(each))) {
      const reason = gone.has(id) ? 'gone' : 'failing';
      if (await disableTarget(tx, kind, id, reason)) reasons.set(id, reason);
      disabled.push(...ofKind.filter(({ target }) => target.id === id).map(({ target }) => target));
    }
  }
  return { disabled, reasons };
}

/** Distinct ids, in the same order everywhere, so that two workers never deadlock. */
function idsOf(outcomes: readonly Outcome[], concerns: (outcome: Outcome) => boolean): string[] {
  return [...new Set(outcomes.filter(concerns).map(({ target }) => target.id))].sort();
}

async function noteRecoveries(tx: Sql, kind: TargetKind, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await endFailures[kind].run(tx, { targets: ids });
}

/** @returns the targets that have failed for too long without a success */
async function noteFailures(tx: Sql, kind: TargetKind, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  await beginFailures[kind].run(tx, { targets: ids });
  const rows = await selectFailing[kind].all(tx, { targets: ids, hours: FAILING_LIMIT_HOURS });
  // Another worker may record a success without clearing failing_since: it did not know yet that the target was failing.
  const recovered = rows.filter(({ has_succeeded }) => has_succeeded).map(({ id }) => id);
  if (recovered.length > 0) await restartFailures[kind].run(tx, { targets: recovered });
  return rows.filter(({ has_succeeded }) => !has_succeeded).map(({ id }) => id);
}

const EXPLANATIONS: Record<DisableReason, string> = {
  gone: 'It responded with 410 Gone, which means it wants no more events.',
  failing: 'Every attempt in the last 120 hours failed.',
};

/**
 * Disables a target, writes the audit entry and emails the owners of the organization, in the caller's transaction.
 *
 * @returns false if another worker has disabled it; then nothing is written
 */
async function disableTarget(tx: Sql, kind: TargetKind, id: string, reason: DisableReason): Promise<boolean> {
  const row = await disable[kind].first(tx, { target: id, reason });
  if (row === undefined) return false;
  await commitDurably.run(tx);
  await recordAudit(tx, { type: 'system' }, `${kind}.disabled`, {
    organizationId: row.organization_id,
    targetId: id,
    details: { projectId: row.project_id, reason },
  });
  await tellOwners(tx, kind, row, reason);
  return true;
}

async function tellOwners(tx: Sql, kind: TargetKind, row: DisabledTarget, reason: DisableReason): Promise<void> {
  const owners = await selectOwners.all(tx, { organization: row.organization_id });
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
  for (const owner of owners) await enqueueMail(tx, { ...mail, to: owner.email, userId: owner.id, isBulk: true });
}

/** The URL without its query, which may contain a token: people may forward an email. */
function shownAddress(url: string): string {
  const { origin, path } = addressOf(url);
  return origin + path.replace(/\?.*$/s, '');
}
