import { recordAudits } from '@/lib/audit/record-audit';
import { addressOf, shownAddress } from '@/lib/delivery/engine/targets';
import type { Outcome, Target, TargetKind } from '@/lib/delivery/engine/types';
import type { DisableReason } from '@/lib/delivery/worker-counters';
import { HOUR_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { consumeEachInTransaction } from '@/lib/platform/count-in-transaction';
import type { Sql } from '@/lib/platform/db';
import { groupBy } from '@/lib/platform/group-by';
import { enqueueMails } from '@/lib/platform/mail/enqueue-mail';
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
  selectUrls,
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
    const gone = await findGone(tx, kind, ofKind);
    const failing = new Set(await noteFailures(tx, kind, failed));
    const faulty = failed.filter((id) => gone.has(id) || failing.has(id));
    if (faulty.length === 0) continue;
    for (const { id, reason } of await disableTargets(tx, kind, faulty, gone)) reasons.set(id, reason);
    const ids = new Set(faulty);
    disabled.push(...ofKind.map(({ target }) => target).filter(({ id }) => ids.has(id)));
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

/** Returns the targets that answered 410 at the URL that they still have: attempts to a former one may end after it was changed. */
async function findGone(tx: Sql, kind: TargetKind, outcomes: readonly Outcome[]): Promise<Set<string>> {
  const answered = outcomes.filter(({ result }) => result.responseStatus === GONE_STATUS);
  if (answered.length === 0) return new Set();
  const rows = await selectUrls[kind].all(tx, { targets: idsOf(answered, () => true) });
  const addresses = new Map(rows.map(({ id, url }) => [id, addressOf(url)]));
  return new Set(
    idsOf(answered, ({ target }) => {
      const address = addresses.get(target.id);
      return address?.origin === target.origin && address.path === target.path;
    }),
  );
}

/**
 * Disables targets, writes the audit entries and emails owners, in the caller's transaction. All of that takes a few statements
 * however many targets there are: the batch has outcomes of other tenants, too.
 *
 * @param gone those that answered 410; the others have failed for too long
 * @returns the targets that no other worker has disabled
 */
async function disableTargets(
  tx: Sql,
  kind: TargetKind,
  targets: readonly string[],
  gone: ReadonlySet<string>,
): Promise<DisabledTarget[]> {
  const reasons = targets.map((id): DisableReason => (gone.has(id) ? 'gone' : 'failing'));
  const rows = await disable[kind].all(tx, { targets, reasons });
  if (rows.length === 0) return [];
  await commitDurably.run(tx);
  await recordAudits(
    tx,
    { type: 'system' },
    `${kind}.disabled`,
    rows.map((row) => ({
      organizationId: row.organization_id,
      targetId: row.id,
      details: { projectId: row.project_id, reason: row.reason },
    })),
  );
  await tellOwners(tx, kind, rows);
  return rows;
}

/** A receiver decides how often its targets are disabled, and its project's name is part of the email. */
const MAIL_LIMIT = { name: 'disabled-mail', points: 5, windowSeconds: 60 * 60 };
const MAX_OWNERS = 20;
/** The targets that an email names. */
const MAX_NAMED = 10;

/** Emails the owners of each organization once, with all its targets but those of which an alert tells the owner. */
async function tellOwners(tx: Sql, kind: TargetKind, rows: readonly DisabledTarget[]): Promise<void> {
  const byOrganization = groupBy(rows, (row) => row.organization_id);
  const mayTell = await consumeEachInTransaction(tx, MAIL_LIMIT, [...byOrganization.keys()]);
  // Alerts tell of endpoints only.
  const projects = kind === 'endpoint' ? [...new Set(rows.map((row) => row.project_id))] : [];
  const owners = await selectOwners.all(tx, { organizations: mayTell, projects, most: MAX_OWNERS });
  await enqueueMails(
    tx,
    owners.flatMap(({ id: userId, email: to, organization_id, alerted_projects }) => {
      const untold = byOrganization.get(organization_id)?.filter((row) => !alerted_projects?.includes(row.project_id));
      if (untold === undefined || untold.length === 0) return [];
      return [{ ...describeDisabled(kind, untold), to, userId, ownerId: organization_id }];
    }),
  );
}

const EXPLANATIONS: Record<DisableReason, string> = {
  gone: 'It responded with 410 Gone, which means it wants no more events.',
  failing: 'Every attempt in the last 120 hours failed.',
};
const NOUNS = { endpoint: ['An endpoint', 'endpoints'], destination: ['A destination', 'destinations'] } as const;

/** @param rows the disabled targets of one organization, at least one */
function describeDisabled(kind: TargetKind, rows: readonly DisabledTarget[]) {
  const [first] = rows as [DisabledTarget];
  const [one, many] = NOUNS[kind];
  const isOne = rows.length === 1;
  const isOneProject = rows.every((row) => row.project_id === first.project_id);
  const named = rows
    .slice(0, MAX_NAMED)
    .map((row) => `We stopped sending to ${shownAddress(row.url)}. ${EXPLANATIONS[row.reason]}`);
  const rest = rows.length - named.length;
  const page = kind === 'endpoint' ? 'endpoints' : 'sources';
  return layOutMail({
    subject: `${isOne ? one : `${rows.length} ${many}`} ${isOneProject ? `in ${first.project_name} ` : ''}${isOne ? 'was' : 'were'} disabled`,
    paragraphs: [
      ...named,
      ...(rest === 0 ? [] : [`And ${rest} more.`]),
      `Enable ${isOne ? 'it' : 'them'} once ${isOne ? 'it works' : 'they work'} again. You can retry failed deliveries from the dashboard.`,
    ],
    action: {
      label: `View ${page}`,
      url: `${config().baseUrl}${isOneProject ? `/projects/${first.project_id}/${page}` : ''}`,
    },
  });
}
