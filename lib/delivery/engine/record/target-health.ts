import type { Outcome, Target, TargetKind } from '@/lib/delivery/engine/types';
import { HOUR_MS } from '@/lib/platform/clock';
import type { Sql } from '@/lib/platform/db';
import { disableTarget } from './disable-target';

/** The response status that asks for no more events. */
export const GONE_STATUS = 410;
const FAILING_LIMIT_HOURS = 120;
/** The clock of this process may differ from the database's by this much. The database's clock decides. */
const CLOCK_LEEWAY_HOURS = 1;
const TABLES: Record<TargetKind, string> = { endpoint: 'endpoints', destination: 'destinations' };
const KINDS: readonly TargetKind[] = ['endpoint', 'destination'];

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
 * @returns the targets that were disabled
 */
export async function updateHealth(tx: Sql, outcomes: readonly Outcome[]): Promise<Target[]> {
  const disabled: Target[] = [];
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
      await disableTarget(tx, kind, id, gone.has(id) ? 'gone' : 'failing');
      disabled.push(...ofKind.filter(({ target }) => target.id === id).map(({ target }) => target));
    }
  }
  return disabled;
}

/** Distinct ids, in the same order everywhere, so that two workers never deadlock. */
function idsOf(outcomes: readonly Outcome[], concerns: (outcome: Outcome) => boolean): string[] {
  return [...new Set(outcomes.filter(concerns).map(({ target }) => target.id))].sort();
}

async function noteRecoveries(tx: Sql, kind: TargetKind, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await setFailingSince(tx, kind, ids, 'NULL', 'failing_since IS NOT NULL');
}

/** @returns the targets that have failed for too long without a success */
async function noteFailures(tx: Sql, kind: TargetKind, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  await setFailingSince(tx, kind, ids, 'now()', 'failing_since IS NULL');
  const { rows } = await tx.query<{ id: string; has_succeeded: boolean }>(
    `SELECT t.id, EXISTS (SELECT FROM deliveries d WHERE d.${kind}_id = t.id AND d.status = 'SUCCEEDED'
                          AND d.completed_at >= t.failing_since) AS has_succeeded
     FROM ${TABLES[kind]} t
     WHERE t.id = ANY($1) AND t.enabled AND t.failing_since <= now() - make_interval(hours => $2)`,
    [ids, FAILING_LIMIT_HOURS],
  );
  // Another worker may record a success without clearing failing_since: it did not know yet that the target was failing.
  const recovered = rows.filter(({ has_succeeded }) => has_succeeded).map(({ id }) => id);
  if (recovered.length > 0) await setFailingSince(tx, kind, recovered, 'now()', 'true');
  return rows.filter(({ has_succeeded }) => !has_succeeded).map(({ id }) => id);
}

/** Locks rows by id before the UPDATE, which alone would lock them in any order and could deadlock. */
async function setFailingSince(
  tx: Sql,
  kind: TargetKind,
  ids: readonly string[],
  value: 'NULL' | 'now()',
  condition: string,
): Promise<void> {
  await tx.query(
    `WITH locked AS MATERIALIZED (
       SELECT id FROM ${TABLES[kind]} WHERE id = ANY($1) AND ${condition} ORDER BY id FOR NO KEY UPDATE)
     UPDATE ${TABLES[kind]} t SET failing_since = ${value} FROM locked WHERE t.id = locked.id`,
    [ids],
  );
}
