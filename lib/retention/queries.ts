import type { PersonCaller } from '@/lib/audit/caller';
import { organizationOf } from '@/lib/orgs/tenant';
import { type Clock, MINUTE_MS, systemClock } from '@/lib/platform/clock';
import { type Config, config } from '@/lib/platform/config/config';
import { once } from '@/lib/platform/globals';
import { TimedCache } from '@/lib/platform/timed-cache';
import { listLastRuns } from './jobs/run-record';
import { firstRunFrom, nextRunAt, scheduleOf } from './jobs/schedule';
import { expiryOf, listRules } from './list-rules';
import { findOwnAttempts, findOwnDeadOutbox, findOwnRows, type OwnRows } from './own-data';
import {
  CLEANUP_JOBS,
  type CleanupSchedule,
  type OrganizationRetention,
  type OwnData,
  type RetentionRule,
} from './schema';
import { STOPPED } from './stopped-policy';

/** Organizations whose figures are kept for a minute: counting them reads some 100,000 rows. */
const MAX_CACHED = 1_000;

/** Returns what the deployment keeps and for how long, with the rows of the caller's organization. */
export async function getOrganizationRetention(caller: PersonCaller, clock: Clock): Promise<OrganizationRetention> {
  const organizationId = organizationOf(caller);
  const settings = config();
  const now = clock();
  const own = await once('own-rows', () => new TimedCache(findAllOwn, MINUTE_MS, MAX_CACHED)).get(organizationId);
  const classes = listRules(settings).map((rule) => describeOwnData(own.get(rule.data) ?? null, rule, settings, now));
  const jobs = await listSchedules(settings, now);
  return { partitionMaintenanceEnabled: settings.PARTITION_MAINTENANCE_ENABLED, classes, jobs };
}

function describeOwnData(own: OwnRows | null, rule: RetentionRule, settings: Config, now: Date): OwnData {
  if (own === null) {
    const nextRemovalAt = firstRunFrom([scheduleOf('cap', settings)], now)?.toISOString() ?? null;
    return { ...rule, rows: null, isAtLeast: false, oldestAt: null, nextRemovalAt };
  }
  const { rows, isAtLeast, oldestAt } = own;
  const expiry = oldestAt === null ? null : expiryOf(oldestAt, rule);
  const crons = [scheduleOf('main', settings), scheduleOf('burst', settings)];
  const next = expiry === null ? null : firstRunFrom(crons, expiry > now ? expiry : now);
  return {
    ...rule,
    rows,
    isAtLeast,
    oldestAt: oldestAt?.toISOString() ?? null,
    nextRemovalAt: next?.toISOString() ?? null,
  };
}

/** Finds the rows of every class, one after another: each statement may read 100,000 rows. */
async function findAllOwn(organizationId: string): Promise<Map<RetentionRule['data'], OwnRows>> {
  const found = new Map<RetentionRule['data'], OwnRows>();
  const now = systemClock();
  for (const rule of listRules(config())) {
    const own = await findOwn(organizationId, rule, now);
    if (own !== null) found.set(rule.data, own);
  }
  return found;
}

function findOwn(organizationId: string, { data, days }: RetentionRule, now: Date): Promise<OwnRows> | null {
  switch (data) {
    case 'succeededAttempts':
      return findOwnAttempts(organizationId, true, days ?? 0, now);
    case 'failedAttempts':
      return findOwnAttempts(organizationId, false, days ?? 0, now);
    case 'events':
      return findOwnRows(organizationId, 'events');
    case 'incomingEvents':
      return findOwnRows(organizationId, 'incoming_events');
    case 'tunnelRequests':
      return findOwnRows(organizationId, 'tunnel_request_log');
    case 'deadOutbox':
      return findOwnDeadOutbox(organizationId);
    case 'attemptsPerDelivery':
      return null;
  }
}

/** Omits the reason of a failure: it may name data of others, and is for the operator. */
async function listSchedules(settings: Config, now: Date): Promise<CleanupSchedule[]> {
  const runs = await listLastRuns();
  return CLEANUP_JOBS.map((job) => {
    const cron = scheduleOf(job, settings);
    const run = runs.find((candidate) => candidate.job === job);
    return {
      job,
      cron,
      lastRun:
        run === undefined
          ? null
          : { startedAt: run.startedAt, endedAt: run.endedAt, failed: run.error !== null && run.error !== STOPPED },
      nextRunAt: nextRunAt(cron, now)?.toISOString() ?? null,
    };
  });
}
