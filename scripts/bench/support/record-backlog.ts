import { firstDelivery, type TakenEntry, takeEntries } from '@/lib/delivery/engine/outbox/take-entries';
import { recordOutcomes } from '@/lib/delivery/engine/record/record-outcomes';
import { loadTargets } from '@/lib/delivery/engine/targets';
import type { Outcome, Target } from '@/lib/delivery/engine/types';
import { hotDatabase } from '@/lib/platform/db';

/** Outbox rows that one statement claims, and outcomes that one statement records, as in the worker. */
const BATCH = 400;
const RESULT = {
  ...{ succeeded: true, responseStatus: 200, responseBody: 'ok', error: null, retryAfter: null },
  requestParts: `user-agent: EventDeliveryService/1.0.0\nwebhook-signature: v1,${'x'.repeat(44)}`,
  responseHeaders: 'date: Sat, 31 Jan 2026 09:30:00 GMT\nconnection: keep-alive\ncontent-length: 2',
  remoteAddress: '127.0.0.1:4000',
  timing: { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: 800 },
};

/**
 * Claims and records a stored backlog with the statements of the worker, one after the other, without sending: the upper
 * bound that PostgreSQL sets on this machine.
 *
 * @returns deliveries per second
 */
export async function recordBacklog(projectIds: readonly string[], count: number): Promise<number> {
  const turns = projectIds.map((projectId) => ({ projectId, most: Math.ceil(BATCH / projectIds.length) }));
  const targets = new Map<string, Target>();
  const started = performance.now();
  let recorded = 0;
  while (recorded < count) {
    const { entries } = await takeEntries(hotDatabase(), turns);
    await learnTargets(entries, targets);
    const outcomes = entries.flatMap((taken) => outcomesOf(taken, targets));
    if (outcomes.length === 0) throw new Error(`${recorded} of ${count} deliveries could be claimed`);
    recorded += (await recordOutcomes(outcomes)).counted.length;
  }
  return count / ((performance.now() - started) / 1000);
}

async function learnTargets(entries: readonly TakenEntry[], known: Map<string, Target>): Promise<void> {
  const unknown = entries.flatMap(({ targets }) => targets.flatMap(({ id }) => (known.has(id) ? [] : id)));
  if (unknown.length === 0) return;
  for (const [id, found] of await loadTargets(hotDatabase(), [...new Set(unknown)])) {
    if ('target' in found) known.set(id, found.target);
  }
}

function outcomesOf(taken: TakenEntry, known: ReadonlyMap<string, Target>): Outcome[] {
  const { message } = taken;
  if (message === null) return [];
  return taken.targets.flatMap(({ id }) => {
    const target = known.get(id);
    if (target === undefined) return [];
    const job = { ...firstDelivery(taken, target), message };
    return [{ job, target, result: { ...RESULT, startedAt: new Date(), durationMs: 1 }, retryMs: null }];
  });
}
