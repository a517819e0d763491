import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it, vi } from 'vitest';
import { config } from '@/lib/platform/config/config';
import { closeDatabase, database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { runJob } from '@/lib/retention/jobs/run-job';
import type { RunSummary } from '@/lib/retention/jobs/run-record';
import { policyOf } from '@/lib/retention/retention-policy';
import { makeRandom } from '@/scripts/demo/random';
import { useDatabase } from '@/tests/database/use-database';
import { endProcess, useProcesses } from '@/tests/processes/entry-process';
import { applyMain, idsOfDatabase, idsOfModel } from '@/tests/retention/retention-model';
import { insertTraffic, type SimulatedStore } from '@/tests/retention/simulated-traffic';
import { readCounters } from '@/tests/retention/test-run';
import { testVariables } from '@/tests/setup/variables';

const { url } = useDatabase();
const start = useProcesses('scripts/retention.ts', () => ({ ...testVariables(), DATABASE_URL: url }));

const DAYS = 23;
const KILLS = 10;
const SEED = Date.now() % 1_000_000;
const random = makeRandom(SEED);
let store: SimulatedStore;
/** Halved whenever a run ends before it is killed, so that a fast machine does not outrun the kills. */
let latestKillMs = 500;

beforeAll(async () => {
  store = await insertTraffic({ days: DAYS, times: 4, seed: SEED });
  // What the connections have inserted is in the statistics once they have ended.
  await closeDatabase();
});

/** Windows that get shorter from run to run, so that each run removes rows of every kind. */
function windowsOf(round: number): Record<string, number> {
  return {
    DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS: 14 - round,
    DATA_RETENTION_ATTEMPTS_DAYS: 20 - round,
    DATA_RETENTION_EVENTS_DAYS: 21 - round,
    DATA_RETENTION_INCOMING_EVENTS_DAYS: 19 - round,
    OUTBOX_DEAD_RETENTION_DAYS: 20 - round,
  };
}

const countRuns = async () => (await database().query('SELECT FROM retention_runs')).rowCount ?? 0;

/** Starts a run in its own process and kills it at a random moment. */
async function runAndKill(round: number): Promise<void> {
  const before = await countRuns();
  const windows = Object.entries(windowsOf(round)).map(([name, days]) => [name, String(days)]);
  const child = start(['main'], { ...Object.fromEntries(windows), DATA_RETENTION_BATCH_SIZE: '3' });
  await vi.waitFor(async () => expect(await countRuns()).toBe(before + 1), { timeout: 15_000, interval: 5 });
  await sleep(random() * latestKillMs);
  if (child.exitCode !== null) latestKillMs /= 2;
  await endProcess(child, 'SIGKILL');
}

/** Runs the job as soon as the database has released the lock of the killed process. */
async function runWhole(): Promise<RunSummary> {
  return vi.waitFor(
    async () => {
      const summary = await runJob('main');
      expect(summary.status).not.toBe('already_running');
      return summary;
    },
    { timeout: 10_000, interval: 20 },
  );
}

it(`a run killed at any moment is completed by the next one (seed ${SEED})`, async () => {
  const stored = idsOfModel(store);
  for (let round = 0; round < KILLS; round += 1) {
    await runAndKill(round);
    setOnce('config', { ...config(), ...windowsOf(round) });
    const summary = await runWhole();
    expect(summary.error, `round ${round}`).toBeNull();
    // What the connections have done is in the statistics once they have ended.
    await closeDatabase();
    applyMain(store, policyOf(config()), Date.parse(summary.startedAt ?? ''));
    const expected = idsOfModel(store);
    expect(await idsOfDatabase(Object.keys(expected)), `round ${round}`).toEqual(expected);
  }
  const { rows: runs } = await database().query('SELECT error, ended_at FROM retention_runs ORDER BY id');
  expect(runs.filter(({ ended_at }) => ended_at === null)).toEqual([]);
  expect(runs.filter(({ error }) => error === 'broken off').length).toBeGreaterThan(KILLS / 2);
  expectTrueCounters(await readCounters(), stored, idsOfModel(store));
});

function expectTrueCounters(
  counters: Record<string, number>,
  before: Record<string, string[]>,
  after: Record<string, string[]>,
): void {
  for (const table of Object.keys(before)) {
    const gone = (before[table]?.length ?? 0) - (after[table]?.length ?? 0);
    expect(gone, table).toBeGreaterThan(2);
    // Of a partition that is dropped the rows are not counted but estimated.
    const tolerance = ['delivery_attempts', 'tunnel_request_log'].includes(table) ? gone * 0.05 : 0;
    const counted = counters[`retention_rows_removed_total ${table}`] ?? 0;
    expect(Math.abs(counted - gone), `${table}: ${counted} counted, ${gone} gone`).toBeLessThanOrEqual(tolerance);
  }
}
