import { addMs, DAY_MS, systemClock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { inSqlTransaction, type SqlTransaction } from '@/lib/platform/db';
import { lowestIdAt, newIdAt, timeOfId } from '@/lib/platform/ids';
import { listDays } from '@/lib/retention/partitions/list-partitions';
import { makePartition } from '@/lib/retention/partitions/make-partition';
import { BRANCHES, missingPartitions, utcDayOf } from '@/lib/retention/partitions/partitions';
import { policyOf, type RetentionPolicy } from '@/lib/retention/retention-policy';
import { rollUpStats } from '@/lib/stats/roll-up';
import { backdate } from './backdate';
import {
  type AttemptRow,
  bodyOf,
  type DeliveryRow,
  type EventRow,
  endOf,
  errorOf,
  HISTORY_DAYS,
  type HistoryTarget,
  keptAttempts,
  makeDeliveries,
  makeEvents,
  makeSignature,
  removedUntil,
} from './history';
import { type IncomingRow, makeIncoming } from './incoming';
import { makeRandom, type Random } from './random';
import { PAUSE_REASON } from './receivers';
import { type Company, insertCompany } from './seed-company';
import * as sql from './seed-sql';

/** What the history is about. */
export interface SeedTargets extends Company {
  /** `host:port` of the receiver. */
  remoteAddress: string;
}

/** A delivery with the attempts of it that are stored. */
type StoredDelivery = DeliveryRow & { kept: readonly AttemptRow[] };

const CHUNK = 4_000;

/**
 * Writes 30 days of history into a project, once: events, incoming events, their deliveries and attempts, requests of tunnels, audit
 * entries, and the statistics of all of that. Leaves out what retention would have removed by now; the statistics count it.
 * @returns false when the project has its history already
 */
export async function seedHistory(demo: SeedTargets): Promise<boolean> {
  const now = systemClock();
  const policy = policyOf(config());
  await makePartitions(policy, now);
  const write = (tx: SqlTransaction) => writeHistory(tx, demo, policy, now);
  const isWritten = await inSqlTransaction(write, { statementMs: LONG_STATEMENT_MS });
  while (await rollUpStats());
  return isWritten;
}

async function writeHistory(
  tx: SqlTransaction,
  demo: SeedTargets,
  policy: RetentionPolicy,
  now: Date,
): Promise<boolean> {
  const { projectId, targets, sources } = demo;
  const { written } = await sql.lockForHistory.one(tx, projectId, lowestIdAt(addMs(now, -DAY_MS)));
  if (written) return false;
  await sql.countAttemptsHere.run(tx);
  const random = makeRandom(20_261_127);
  const events = makeEvents(random, now).filter(({ at }) => at > removedUntil(now, policy.eventsDays));
  await insertEvents(tx, projectId, events);
  const made = events.flatMap((event) => makeDeliveries(random, event, targets, now));
  const incomingSince = removedUntil(now, policy.incomingEventsDays);
  for (const source of sources) {
    const { rows, deliveries: forwards } = makeIncoming(random, source, incomingSince, now);
    await insertIncoming(tx, projectId, rows);
    made.push(...forwards);
  }
  const deliveries = made.map((delivery) => ({ ...delivery, kept: keptAttempts(delivery.attempts, policy, now) }));
  await insertDeliveries(tx, projectId, deliveries);
  await insertAttempts(tx, demo, deliveries, random);
  await sql.queueEventStats.run(tx, projectId);
  await queueAttemptStats(tx, projectId, deliveries);
  for (const target of targets) await setTargetState(tx, projectId, target, now);
  // Near the end, since it locks the audit log.
  await backdate(tx, demo, now);
  await insertCompany(tx, demo, random, now);
  return true;
}

/** Creates the days of the history that are kept, which retention would otherwise have to move out of the default partitions. */
async function makePartitions(policy: RetentionPolicy, now: Date): Promise<void> {
  for (const branch of BRANCHES) {
    const existing = await listDays(branch);
    for (let day = Math.min(HISTORY_DAYS, branch.daysKept(policy)); day >= 0; day--) {
      const period = utcDayOf(addMs(now, -day * DAY_MS));
      for (const partition of missingPartitions(branch, period, existing)) {
        await makePartition({ branch, partition, use: 'live' });
      }
    }
  }
}

async function insertEvents(tx: SqlTransaction, projectId: string, rows: readonly EventRow[]): Promise<void> {
  for (const part of chunksOf(rows)) {
    const column = <T>(read: (row: EventRow) => T) => part.map(read);
    await sql.insertEvents.run(
      ...[tx, projectId, column(({ id }) => id), column(({ type }) => type)],
      ...[column(({ payload }) => payload), column(({ at }) => at)],
    );
  }
}

async function insertIncoming(tx: SqlTransaction, projectId: string, rows: readonly IncomingRow[]): Promise<void> {
  for (const part of chunksOf(rows)) {
    const column = <T>(read: (row: IncomingRow) => T) => part.map(read);
    await sql.insertIncoming.run(
      ...[
        tx,
        projectId,
        column(({ id }) => id),
        column(({ sourceId }) => sourceId),
        column(({ verified }) => verified),
      ],
      ...[column(({ headers }) => headers), column(({ contentType }) => contentType), column(({ body }) => body)],
      ...[column(({ at }) => at), column(({ eventId }) => eventId)],
    );
  }
}

async function insertDeliveries(tx: SqlTransaction, projectId: string, rows: readonly StoredDelivery[]): Promise<void> {
  for (const part of chunksOf(rows)) {
    const column = <T>(read: (row: StoredDelivery) => T) => part.map(read);
    const last = <T>(read: (attempt: DeliveryRow['attempts'][number]) => T) =>
      column(({ attempts }) => {
        const attempt = attempts.at(-1);
        return attempt === undefined ? null : read(attempt);
      });
    await sql.insertDeliveries.run(
      ...[
        tx,
        projectId,
        column(({ id }) => id),
        column(({ sourceId }) => sourceId),
        column(({ targetId }) => targetId),
      ],
      ...[column(({ isForward }) => isForward), column(({ status }) => status), column((row) => row.attempts.length)],
      ...[column(({ nextAt }) => nextAt), last(endOf)],
      ...[last(({ answer }) => answer.status), last(({ answer }) => errorOf(answer))],
      ...[column(({ id }) => new Date(timeOfId(id))), column(({ kept }) => kept.length)],
    );
  }
}

async function insertAttempts(tx: SqlTransaction, demo: SeedTargets, all: readonly StoredDelivery[], random: Random) {
  const rows = all.flatMap(({ id, kept }) => kept.map((attempt) => ({ deliveryId: id, ...attempt })));
  for (const part of chunksOf(rows)) {
    const column = <T>(read: (row: (typeof rows)[number]) => T) => part.map(read);
    await sql.insertAttempts.run(
      ...[tx, demo.projectId, column(({ at }) => newIdAt(at)), column(({ deliveryId }) => deliveryId)],
      ...[column(({ number }) => number), column(({ at }) => at), column(({ answer }) => answer.durationMs)],
      ...[column(({ answer }) => answer.status), column(({ answer }) => bodyOf(random, answer))],
      column(({ answer }) => errorOf(answer)),
      column(() => `user-agent: EventDeliveryService/0.1.0\nwebhook-signature: ${makeSignature()}`),
      column(({ answer, at }) => headersOf(answer.status, at)),
      demo.remoteAddress,
      column(() => (random() < 0.3 ? 200 + Math.floor(random() * 900) : null)),
      column(({ answer }) => (answer.status === null ? null : Math.round(answer.durationMs * 970))),
    );
  }
}

async function queueAttemptStats(tx: SqlTransaction, projectId: string, all: readonly DeliveryRow[]): Promise<void> {
  const rows = all.flatMap(({ id, attempts }) => attempts.map((attempt) => ({ deliveryId: id, ...attempt })));
  for (const part of chunksOf(rows)) {
    const column = <T>(read: (row: (typeof rows)[number]) => T) => part.map(read);
    await sql.queueAttemptStats.run(
      ...[tx, projectId, column(({ deliveryId }) => deliveryId), column(({ number }) => number)],
      ...[column(({ at }) => at), column(({ answer }) => answer.durationMs)],
      ...[column(({ answer }) => answer.status), column(({ answer }) => errorOf(answer))],
    );
  }
}

function headersOf(status: number | null, at: Date): string | null {
  if (status === null) return null;
  const type = status < 300 || status === 410 || status === 429 ? 'application/json' : 'text/html';
  return `content-type: ${type}\ndate: ${at.toUTCString()}\nserver: nginx/1.28.0`;
}

/** Gives an endpoint the state that its history has led to. */
async function setTargetState(tx: SqlTransaction, projectId: string, { id, receiver }: HistoryTarget, now: Date) {
  const { health, changedMsAgo } = receiver;
  const since = addMs(now, -changedMsAgo);
  const isOff = health === 'disabled' || health === 'paused';
  const reason = health === 'disabled' ? 'gone' : null;
  const values = [
    health === 'failing' ? since : null,
    reason,
    isOff ? since : null,
    health === 'paused' ? PAUSE_REASON : null,
  ];
  await sql.setEndpointState.run(tx, projectId, id, ...values);
}

function* chunksOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += CHUNK) yield rows.slice(at, at + CHUNK);
}
