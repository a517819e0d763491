import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeDatabase, database } from '@/lib/platform/db';
import { openDatabaseProxy } from '@/tests/http/tcp-proxy';
import { readArguments } from './support/bench-arguments';
import {
  type AcceptedEvent,
  type Receiver,
  type ReceiverReport,
  type RunResult,
  startPacedSender,
  startReceiver,
} from './support/children';
import { allLatencies, checkValue, compareArrivals, describeSpread, formatMs, quantile, say } from './support/figures';
import {
  FAULT_KINDS,
  type Fault,
  injectFaults,
  PartTracker,
  planFaults,
  SupervisedPostgres,
} from './support/inject-faults';
import { seedTenants } from './support/seed';
import { type BenchProduct, launchBenchProduct } from './support/stack';

const MINUTES = 10;
const QUICK_MINUTES = 1.5;
const MINUTE_MS = 60_000;
const PROJECTS = 10;
const PER_SECOND = 100;
const QUIET_LIMIT_MS = 120_000;
const SENDER = { isRetrying: true, timeoutMs: 5_000, waitMs: QUIET_LIMIT_MS, connections: 1_000 };

/**
 * A steady load on `npm start` while its processes and its PostgreSQL are killed and its database connections freeze: every
 * event that got 202 must arrive, and recovery from each fault must be quick. The database is reached through a proxy.
 */
export async function main(args: string[]): Promise<void> {
  const { isQuick, minutes, seed: givenSeed, only } = readArguments(args);
  const ms = (minutes ?? (isQuick ? QUICK_MINUTES : MINUTES)) * MINUTE_MS;
  const seed = givenSeed ?? Date.now() % 1_000_000;
  const plan = planFaults(seed, ms, only);
  if (plan.length === 0) throw new TypeError(`${ms / MINUTE_MS} minutes are too short for one fault`);
  const postgres = await SupervisedPostgres.start();
  const { proxy, through } = await openDatabaseProxy(postgres.databaseUrl);
  const product = await launchBenchProduct({ DATABASE_URL: through }, postgres.databaseUrl);
  const receiver = await startReceiver('ok', { ports: PROJECTS });
  const sender = await startPacedSender();
  const parts = new PartTracker(product.pid);
  const stopping = new AbortController();
  say(`${plan.length} faults in ${ms / MINUTE_MS} minutes, --seed ${seed}; log: ${product.logFile}`);
  try {
    const keys = (await seedTenants(receiver.ready.ports)).map(({ key }) => key);
    await closeDatabase();
    const faults: Fault[] = [];
    const running = sender.run({ ...SENDER, port: product.port, keys, perSecond: PER_SECOND, ms });
    void injectFaults(plan, { proxy, postgres, parts }, faults, stopping.signal);
    void printProgress(receiver, faults, stopping.signal);
    const quietBy = performance.now() + ms + QUIET_LIMIT_MS;
    const sent = await Promise.race([running, rejectOnExit(product)]);
    stopping.abort();
    await waitForQuiet(receiver, sent.accepted.length, quietBy);
    const received = await receiver.ask('times');
    const recoveries = measureRecoveries(faults, sent.accepted, new Map(received.seen));
    const figures = { faultsPlanned: plan.length, recoveries, sent, received, left: await countPendingRows() };
    const missing = reportChaos(figures);
    for (const part of ['worker', 'web'] as const) {
      say(`${part}: ${parts.countRestarts(part)} restarts, ${parts.kills[part]} after a kill`);
    }
    if (missing.length > 0) say('missing events, as the database knows them:');
    for (const line of await explainMissing(missing)) say(`  ${line}`);
  } finally {
    stopping.abort();
    parts.stop();
    await closeDatabase();
    await product.stop();
    await proxy.cut();
    await postgres.stop();
  }
}

/** Waits until every event has arrived and no work is pending. */
async function waitForQuiet(receiver: Receiver, events: number, until: number): Promise<void> {
  while (performance.now() < until) {
    const left = await countPendingRows();
    if (left.outbox + left.deliveries === 0 && (await receiver.ask('count')).events >= events) return;
    await sleep(500);
  }
}

async function printProgress(receiver: Receiver, faults: readonly Fault[], signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(MINUTE_MS / 2, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const { events } = await receiver.ask('count');
    say(`${faults.length} faults, ${events.toLocaleString('en-US')} events received`);
  }
}

async function rejectOnExit({ process: supervisor, logFile }: BenchProduct): Promise<never> {
  await once(supervisor, 'exit');
  throw new Error(`npm start gave up:\n${readFileSync(logFile, 'utf8').split('\n').slice(-10).join('\n')}`);
}

const RECOVERY_TARGET_S = 15;
const SLOW_SHOWN = 20;
const MEANWHILE_SHOWN = 5;

interface ChaosFigures {
  faultsPlanned: number;
  recoveries: Recovery[];
  sent: RunResult;
  received: ReceiverReport;
  left: PendingRows;
}

/** Prints the figures. @returns the ids of the events that got 202 and did not arrive */
function reportChaos({ faultsPlanned, recoveries, sent, received, left }: ChaosFigures): string[] {
  checkValue('faults', recoveries.length, { atLeast: faultsPlanned });
  for (const kind of FAULT_KINDS) {
    const times = recoveries.filter((recovery) => recovery.kind === kind).map(({ recoveryMs }) => recoveryMs);
    if (times.length > 0)
      say(`  ${kind.padEnd(26)} ${String(times.length).padStart(3)}: recovery ${describeSpread(times)}`);
  }
  const worstS = quantile(
    recoveries.map(({ recoveryMs }) => recoveryMs / 1_000),
    1,
  );
  checkValue('worst recovery', worstS, { atMost: RECOVERY_TARGET_S }, ' s');
  const afterLastMs = recoveries.map(({ at, recoveryMs, meanwhile }) => at + recoveryMs - (meanwhile.at(-1)?.at ?? at));
  say(`  from the last fault before the recovery: ${describeSpread(afterLastMs)}`);
  const slow = recoveries.filter(({ recoveryMs }) => recoveryMs > RECOVERY_TARGET_S * 1_000);
  for (const recovery of slow.slice(0, SLOW_SHOWN)) say(describeSlow(recovery));
  const latencies = compareArrivals(sent.accepted, new Map(received.seen));
  say(`events with 202: ${sent.accepted.length}, without a response: ${sent.unanswered}, not sent: ${sent.skipped}`);
  say(`first POST to 202: ${describeSpread(sent.accepted.map(([, firstAt, acceptedAt]) => acceptedAt - firstAt))}`);
  say(`202 to receiver: ${describeSpread(allLatencies(latencies))}`);
  checkValue('events rejected for a reason other than a fault', Object.keys(sent.refused).length, { atMost: 0 });
  if (Object.keys(sent.refused).length > 0) say(`  ${JSON.stringify(sent.refused)}`);
  checkValue('events with 202 that did not arrive', latencies.missing.length, { atMost: 0 });
  const share = ((received.repeated / received.events) * 100).toFixed(2);
  say(`events received more than once: ${received.repeated} (${share} %), requests ${received.requests}`);
  checkValue('rows left in the outbox', left.outbox, { atMost: 0 });
  checkValue('deliveries left pending', left.deliveries, { atMost: 0 });
  return latencies.missing;
}

/** Describes a slow recovery and the faults during it. */
function describeSlow({ kind, at, recoveryMs, meanwhile }: Recovery): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const others = meanwhile
    .slice(0, MEANWHILE_SHOWN)
    .map((other) => `${other.kind} after ${((other.at - at) / 1_000).toFixed(1)} s`);
  return [`  ${time} ${kind}: ${formatMs(recoveryMs)}`, ...others].join(', ');
}

/** A fault with the time until the first event sent after it arrived. */
interface Recovery extends Fault {
  /** Infinity when none arrived. */
  recoveryMs: number;
  /** Other faults before the recovery. */
  meanwhile: Fault[];
}

/** @param seen event id and its first arrival; all times are in milliseconds since 1970 */
function measureRecoveries(
  faults: readonly Fault[],
  accepted: readonly AcceptedEvent[],
  seen: ReadonlyMap<string, number>,
): Recovery[] {
  const arrivals = accepted.map(([id, firstAt]) => ({ firstAt, seenAt: seen.get(id) ?? Number.POSITIVE_INFINITY }));
  return faults.map((fault) => {
    let firstSeenAt = Number.POSITIVE_INFINITY;
    for (const { firstAt, seenAt } of arrivals) if (firstAt > fault.at && seenAt < firstSeenAt) firstSeenAt = seenAt;
    const meanwhile = faults.filter(({ at }) => at > fault.at && at < firstSeenAt);
    return { ...fault, recoveryMs: firstSeenAt - fault.at, meanwhile };
  });
}

const SHOWN = 25;

/** Rows with pending work. */
interface PendingRows {
  outbox: number;
  deliveries: number;
}

async function countPendingRows(): Promise<PendingRows> {
  const { rows } = await database().query<PendingRows>(
    `SELECT (SELECT count(*)::int FROM outbox WHERE kind = 'EVENT' AND status = 'PENDING') AS outbox,
            (SELECT count(*)::int FROM deliveries WHERE status = 'PENDING') AS deliveries`,
  );
  return rows[0] ?? { outbox: Number.NaN, deliveries: Number.NaN };
}

/** Describes the first 25 missing events by their rows in the database, one line each. */
async function explainMissing(ids: readonly string[]): Promise<string[]> {
  const { rows } = await database().query<{ line: string }>(
    `SELECT m.id || ': ' || CASE WHEN e.id IS NULL THEN 'not in events' ELSE 'stored ' || e.created_at END
       || COALESCE((SELECT string_agg(format('; outbox %s, %s attempts, error %s', o.status, o.attempts,
            COALESCE(o.last_error, 'none')), '') FROM outbox o WHERE o.event_id = m.id), '; not in outbox')
       || COALESCE((SELECT string_agg(format('; delivery %s, %s attempts, next %s, error %s', d.status, d.attempt_count,
            COALESCE(d.next_attempt_at::text, 'none'), COALESCE(d.last_error, 'none')), '')
            FROM deliveries d WHERE d.event_id = m.id), '; no delivery') AS line
     FROM unnest($1::uuid[]) AS m(id) LEFT JOIN events e ON e.id = m.id`,
    [ids.slice(0, SHOWN)],
  );
  return rows.map(({ line }) => line);
}
