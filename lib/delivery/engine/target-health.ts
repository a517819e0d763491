import type { Sql } from '@/lib/platform/db';
import { disableTarget } from './disable-target';
import type { Outcome, Target, TargetKind } from './types';

const GONE = 410;
const FAILING_LIMIT_HOURS = 120;
const TABLES: Record<TargetKind, string> = { endpoint: 'endpoints', destination: 'destinations' };

/** Whether recorded outcomes say anything about their targets: most batches are successes of healthy ones, and do not. */
export function concernsHealth(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ result, target }) => !result.succeeded || target.isFailing);
}

/**
 * Keeps since when each target has been failing, and disables those that answered 410 Gone or have done nothing but fail
 * for 120 hours (CONTRACT 5). In the transaction that records the attempts.
 *
 * @returns the targets disabled now
 */
export async function updateHealth(tx: Sql, outcomes: readonly Outcome[]): Promise<Target[]> {
  const disabled: Target[] = [];
  for (const [target, ofTarget] of byTarget(outcomes)) {
    const succeeded = ofTarget.some(({ result }) => result.succeeded);
    const failed = ofTarget.some(({ result }) => !result.succeeded);
    if (succeeded && target.isFailing) await noteRecovery(tx, target);
    const hasFailedTooLong = failed && (await noteFailure(tx, target));
    const isGone = ofTarget.some(({ result }) => result.responseStatus === GONE);
    if (isGone) await disableTarget(tx, target, 'gone');
    else if (hasFailedTooLong) await disableTarget(tx, target, 'failing');
    if (isGone || hasFailedTooLong) disabled.push(target);
  }
  return disabled;
}

/** In the order of ids everywhere, so that two workers never wait for each other's rows in a circle. */
function byTarget(outcomes: readonly Outcome[]): [Target, Outcome[]][] {
  const groups = new Map<string, [Target, Outcome[]]>();
  for (const outcome of outcomes) {
    const group = groups.get(outcome.target.id);
    if (group === undefined) groups.set(outcome.target.id, [outcome.target, [outcome]]);
    else group[1].push(outcome);
  }
  return [...groups.values()].sort(([a], [b]) => (a.id < b.id ? -1 : 1));
}

async function noteRecovery(tx: Sql, target: Target): Promise<void> {
  await tx.query(`UPDATE ${TABLES[target.kind]} SET failing_since = NULL WHERE id = $1`, [target.id]);
}

/** @returns whether it has done nothing but fail for too long */
async function noteFailure(tx: Sql, target: Target): Promise<boolean> {
  const table = TABLES[target.kind];
  await tx.query(`UPDATE ${table} SET failing_since = now() WHERE id = $1 AND failing_since IS NULL`, [target.id]);
  const { rows } = await tx.query<{ has_succeeded: boolean }>(
    `SELECT EXISTS (SELECT FROM deliveries d WHERE d.${target.kind}_id = t.id AND d.status = 'SUCCEEDED'
                    AND d.completed_at >= t.failing_since) AS has_succeeded
     FROM ${table} t WHERE t.id = $1 AND t.enabled AND t.failing_since <= now() - make_interval(hours => $2)`,
    [target.id, FAILING_LIMIT_HOURS],
  );
  const [tooLong] = rows;
  // A success that another worker recorded just as this run of failures began would not have ended it.
  if (tooLong?.has_succeeded) await tx.query(`UPDATE ${table} SET failing_since = now() WHERE id = $1`, [target.id]);
  return tooLong?.has_succeeded === false;
}
