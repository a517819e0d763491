import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { isDatabaseUnreachable } from '@/lib/platform/database-errors';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { type SqlTransaction, sqlWithTimeout } from '@/lib/platform/db';
import type { Columns, ValuesOf } from '@/lib/platform/sql/statement';
import { type CleanupStep, countBatchResult, type JobRun, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { expiryCutoff } from '@/lib/retention/retention-policy';
import { KEPT_HOURS } from '@/lib/stats/kept-policy';
import { previewBatches, runInBatches } from './batches';
import {
  countDeadAlone,
  countEnded,
  deadMails,
  deadOutbox,
  deletedDestinations,
  deletedEndpoints,
  deletedSources,
  deleteSessions,
  deleteTokens,
  deviceCodes,
  disabledPeriods,
  type ExpiredRows,
  invitations,
  lockEndedSessions,
  loginLockouts,
  portalSessions,
  rateLimits,
  retentionRuns,
  stats,
  storedBytes,
  type TimeCursor,
  userTokens,
} from './expired-sql';

/** A client polls at least every ten minutes. After a code expires, it must still get `expired_token` (RFC 8628). */
const DEVICE_CODE_GRACE_MS = 15 * MINUTE_MS;
/** A web process sets the end of a rate limit by its own clock, which may differ from the database's. */
const RATE_LIMIT_GRACE_MS = HOUR_MS;
/** A page that was left open must still learn that its session has expired. */
const PORTAL_SESSION_KEPT_MS = DAY_MS;
const RUNS_KEPT_MS = 90 * DAY_MS;
/** What was deleted by mistake can be looked at for a day, without deliveries too. */
const DELETED_KEPT_MS = DAY_MS;

interface Expired {
  rows: ExpiredRows;
  /** What the statement of `rows` is run with. */
  values: ValuesOf<Columns>;
}

/** Pairs rows with the values of their parameters, which the compiler checks here. */
const pair = <P extends Columns>(rows: ExpiredRows<P>, values: ValuesOf<P>): Expired => ({ rows, values });

/** Rows without use after their expiry, in tables that all cells share: a client gets the same response with or without the row. */
function expiredRowsOfAll(run: JobRun): Expired[] {
  const { id, now } = run;
  const failedUntil = addMs(now, -config().AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES * MINUTE_MS);
  return [
    pair(userTokens, { now }),
    pair(deadMails, { until: deadCutoff(run) }),
    pair(deviceCodes, { until: addMs(now, -DEVICE_CODE_GRACE_MS) }),
    pair(invitations, { now }),
    pair(loginLockouts, { failedUntil, now }),
    pair(rateLimits, { until: now.getTime() - RATE_LIMIT_GRACE_MS }),
    pair(retentionRuns, { until: addMs(now, -RUNS_KEPT_MS), currentRun: id }),
  ];
}

/** Rows of a cell that nothing refers to or shows any more. */
function expiredRowsOfCell({ now, policy }: JobRun): Expired[] {
  const { eventsDays, incomingEventsDays, succeededAttemptsDays, failedAttemptsDays } = policy;
  const storedDays = Math.max(eventsDays, incomingEventsDays, succeededAttemptsDays, failedAttemptsDays);
  return [
    pair(stats, {
      oldestMinute: addMs(now, -KEPT_HOURS.minutes * HOUR_MS),
      oldestHour: addMs(now, -KEPT_HOURS.hours * HOUR_MS),
    }),
    pair(portalSessions, { until: addMs(now, -PORTAL_SESSION_KEPT_MS) }),
    pair(disabledPeriods, { until: expiryCutoff(now, eventsDays) }),
    pair(storedBytes, { oldest: addMs(now, -storedDays * DAY_MS) }),
  ];
}

/** A source goes in the run after its destinations, so that a preview counts what a run removes. */
const DELETED = [deletedEndpoints, deletedSources, deletedDestinations];
const deletedCutoff = ({ now }: JobRun) => addMs(now, -DELETED_KEPT_MS);

/** Removes what has its own expiry in a cell: portal sessions, deleted endpoints, sources and destinations, statistics, times in which endpoints were disabled. */
export const cleanExpired: CleanupStep = {
  name: 'what has expired otherwise',
  clean: (run) =>
    cleanEach([
      ...expiredRowsOfCell(run).map((expired) => () => deleteInBatches(run, expired)),
      ...DELETED.map((rows) => () => deleteDeleted(run, rows)),
    ]),
  preview: (run) =>
    previewBatches(() =>
      countEach([
        ...expiredRowsOfCell(run),
        ...DELETED.map((rows) => ({ rows, values: { until: deletedCutoff(run) } })),
      ]),
    ),
};

/** Removes what has its own expiry in the tables that all cells share: ended sessions with their tokens, links, codes, invitations, rate limits, dead mails, old runs. */
export const cleanShared: CleanupStep = {
  name: 'sessions, links and codes',
  isShared: true,
  clean: (run) =>
    cleanEach([
      () => deleteEndedSessions(run),
      ...expiredRowsOfAll(run).map((expired) => () => deleteInBatches(run, expired)),
    ]),
  preview: (run) =>
    previewBatches(async () => ({ ...(await countEndedSessions(run)), ...(await countEach(expiredRowsOfAll(run))) })),
};

/** Cleans tables one after another: an error with one keeps none after it. @throws the first error, after all have been tried */
async function cleanEach(tables: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const clean of tables) {
    await clean().catch((error: unknown) => {
      if (isDatabaseUnreachable(error)) throw error;
      errors.push(error);
    });
  }
  if (errors.length > 0) throw errors[0];
}

interface Counted {
  rows: Pick<ExpiredRows, 'table' | 'count'>;
  values: Expired['values'];
}

async function countEach(all: readonly Counted[]): Promise<RowsByTable> {
  const counts = await Promise.all(
    all.map(async ({ rows: { table, count }, values }) => [table, await countExpired(count, values)] as const),
  );
  return Object.fromEntries(counts);
}

const START: TimeCursor = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/**
 * Removes the refresh tokens of ended sessions, then the sessions: a month-old session may have thousands of tokens. All
 * tokens of a live session stay, including spent and expired ones, since a spent token reveals a theft.
 *
 * A refresh locks its token before the session. To wait for a locked token here would be a deadlock, so its session stays until
 * the next run. The cursor moves past such sessions, because they could otherwise fill every batch.
 */
async function deleteEndedSessions(run: JobRun): Promise<void> {
  for (const lockEnded of lockEndedSessions) {
    let cursor = START;
    await runInBatches(run, async (tx, limit) => {
      const ended = await lockEnded.one(tx, { until: run.now, afterTime: cursor.time, afterId: cursor.id, limit });
      if (ended.cursor === null) return false;
      const tokens = await deleteWithTokens(tx, run, ended.ids, limit);
      // The batch is full: the same sessions may have more tokens.
      if (tokens === limit) return true;
      cursor = ended.cursor;
      return ended.count === limit;
    });
  }
}

/** Removes up to `limit` tokens, and the sessions that have no token left. @returns how many tokens */
async function deleteWithTokens(tx: SqlTransaction, run: JobRun, ids: string, limit: number): Promise<number> {
  const tokens = await deleteTokens.run(tx, { sessions: ids, limit });
  const sessions = await deleteSessions.run(tx, { sessions: ids });
  await countBatchResult(tx, run, { rows: { refresh_tokens: tokens, sessions } });
  return tokens;
}

/** Counts what `deleteEndedSessions` would remove now. */
async function countEndedSessions(run: JobRun): Promise<RowsByTable> {
  const { sessions, tokens } = await countEnded.one(sqlWithTimeout(LONG_STATEMENT_MS), { until: run.now });
  return { sessions, refresh_tokens: tokens };
}

/**
 * Removes the rows in batches. Skips rows that another transaction has locked; the next run removes them. Ends with a batch that removes
 * none: one that is not full may have found rows that a trigger keeps, because their organization has moved.
 */
async function deleteInBatches(run: JobRun, { rows: { table, remove }, values }: Expired): Promise<void> {
  await runInBatches(run, async (tx, limit) => {
    const removed = await remove.run(tx, { ...values, limit });
    await countBatchResult(tx, run, { rows: { [table]: removed } });
    return removed > 0;
  });
}

/** Removes deleted rows in batches, longest deleted first. Those that stay may be many: each batch begins after the last one. */
async function deleteDeleted(run: JobRun, { table, removeAfter }: (typeof DELETED)[number]): Promise<void> {
  const until = deletedCutoff(run);
  let after = START;
  await runInBatches(run, async (tx, limit) => {
    const { removed, cursor } = await removeAfter.one(tx, { until, afterTime: after.time, afterId: after.id, limit });
    await countBatchResult(tx, run, { rows: { [table]: removed } });
    after = cursor ?? after;
    return cursor !== null;
  });
}

/** Counts the expired rows, with a long statement timeout. */
async function countExpired(count: ExpiredRows['count'], values: ValuesOf<Columns>): Promise<number> {
  return Number((await count.one(sqlWithTimeout(LONG_STATEMENT_MS), values)).count);
}

const deadCutoff = ({ now, policy }: JobRun) => expiryCutoff(now, policy.deadOutboxDays);

/** Removes dead outbox rows after OUTBOX_DEAD_RETENTION_DAYS (docs/specification.md#retention). */
export const cleanOutbox: CleanupStep = {
  name: 'outbox',
  clean: (run) => deleteInBatches(run, pair(deadOutbox, { until: deadCutoff(run) })),

  /** Excludes rows that are removed with their event: earlier steps count them. */
  preview: (run) =>
    previewBatches(async () => {
      const { now, policy } = run;
      const { count } = await countDeadAlone.one(sqlWithTimeout(LONG_STATEMENT_MS), {
        until: deadCutoff(run),
        eventsUntil: expiryCutoff(now, policy.eventsDays),
        incomingEventsUntil: expiryCutoff(now, policy.incomingEventsDays),
      });
      return { outbox: Number(count) };
    }),
};
