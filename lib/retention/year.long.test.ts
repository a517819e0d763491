import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import type { RetentionJob } from '@/lib/retention/jobs/job-run';
import { useDatabase } from '@/tests/database/use-database';
import { applyCap, applyMain, idsOfDatabase, idsOfModel } from '@/tests/retention/retention-model';
import {
  insertDay,
  insertSimulatedProject,
  makeRandom,
  type SimulatedProject,
  type SimulatedStore,
  settleUntil,
} from '@/tests/retention/simulated-traffic';
import { readCounters } from '@/tests/retention/test-run';
import { runJob } from './jobs/run-job';
import { BRANCHES, DAYS_AHEAD } from './partitions/partitions';
import { policyOf } from './retention-policy';

useDatabase();

/** A leap day lies in it. */
const START_MS = Date.UTC(2027, 9, 1);
const DAYS = 366;
const SEED = 20271001;

/** Windows that an operator changes in the middle of the year, by the day of the change. */
const CHANGES: Record<number, Record<string, number>> = {
  150: { DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS: 5, DATA_RETENTION_EVENTS_DAYS: 60 },
  230: { DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS: 20, DATA_RETENTION_MAX_ATTEMPTS_PER_DELIVERY: 6 },
  290: { DATA_RETENTION_ATTEMPTS_DAYS: 30, DATA_RETENTION_BATCH_SIZE: 3 },
};

const store: SimulatedStore = { sources: [], deadMails: [], tunnelLog: [] };
const random = makeRandom(SEED);
let project: SimulatedProject;

beforeAll(async () => {
  project = await insertSimulatedProject();
});

async function runWhole(job: RetentionJob, nowMs: number): Promise<void> {
  const { status, error } = await runJob(job, { now: new Date(nowMs), signal: new AbortController().signal });
  expect(status, error ?? '').toBe('done');
}

/** Tells a run to stop in the middle. */
async function runBrokenOff(nowMs: number): Promise<void> {
  await runJob('main', { now: new Date(nowMs), signal: AbortSignal.timeout(Math.ceil(random() * 30)) });
}

/** Picks the days on which retention is down: single ones, and stretches longer than the partitions ahead. */
function planOutages(): Set<number> {
  const down = new Set<number>();
  for (let day = 0; day < DAYS - 1; day += 1) {
    if (random() >= 0.25) continue;
    const length = random() < 0.08 ? 10 + Math.floor(random() * 12) : 1 + Math.floor(random() * 3);
    for (let n = 0; n < length && day + n < DAYS - 1; n += 1) down.add(day + n);
    day += length;
  }
  return down;
}

describe(`a year of traffic (seed ${SEED})`, () => {
  it('has exactly the rows that the policy keeps after every run, whatever days retention was down', {
    timeout: 600_000,
  }, async () => {
    const down = planOutages();
    expect(down.size).toBeGreaterThan(20);
    for (let day = 0; day < DAYS; day += 1) {
      const dayMs = START_MS + day * DAY_MS;
      await insertDay(store, project, dayMs, random);
      const nowMs = dayMs + DAY_MS + 2 * HOUR_MS;
      await settleUntil(store, project, nowMs, random);
      setOnce('config', { ...config(), ...CHANGES[day] });
      if (down.has(day)) continue;
      if (random() < 0.1) await runBrokenOff(nowMs - HOUR_MS);
      await runWhole(random() < 0.2 ? 'burst' : 'main', nowMs);
      applyMain(store, policyOf(config()), nowMs);
      await runWhole('cap', nowMs);
      applyCap(store, policyOf(config()));
      const expected = idsOfModel(store);
      expect(await idsOfDatabase(Object.keys(expected)), `day ${day}`).toEqual(expected);
    }
    await expectTidyPartitions();
    await expectTrueCounters();
  });
});

/** Checks that no expired partition remains, that no partition ahead is missing, and that default partitions are empty. */
async function expectTidyPartitions(): Promise<void> {
  const days = { succeeded: 20, failed: 30, tunnel: 7 };
  // The past days whose end lies within the window, today, and the days ahead.
  const { rows } = await database().query<{ branch: string; days: number }>(
    `SELECT i.inhparent::regclass::text AS branch, count(*)::int AS days FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE c.relnamespace = 'cell_00'::regnamespace AND c.relispartition AND c.relname ~ '_p\\d{8}$' GROUP BY 1`,
  );
  const counts = Object.fromEntries(rows.map((row) => [row.branch, row.days]));
  expect(counts).toEqual({
    delivery_attempts_succeeded: days.succeeded + 1 + DAYS_AHEAD,
    delivery_attempts_failed: days.failed + 1 + DAYS_AHEAD,
    tunnel_request_log: days.tunnel + 1 + DAYS_AHEAD,
  });
  for (const { defaultTable } of BRANCHES) {
    expect((await database().query(`SELECT FROM ${defaultTable}`)).rowCount, defaultTable).toBe(0);
  }
}

async function expectTrueCounters(): Promise<void> {
  const counters = await readCounters();
  const left = await database().query<{ events: number; incoming: number }>(
    'SELECT (SELECT count(*)::int FROM events) AS events, (SELECT count(*)::int FROM incoming_events) AS incoming',
  );
  expect(counters['retention_rows_removed_total events']).toBe(3 * DAYS - (left.rows[0]?.events ?? 0));
  expect(counters['retention_rows_removed_total incoming_events']).toBe(DAYS - (left.rows[0]?.incoming ?? 0));
  expect(counters.partition_dropped_total).toBeGreaterThan(2 * DAYS);
}
