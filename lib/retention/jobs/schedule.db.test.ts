import { expect, it, vi } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { listRunTimes } from '@/lib/retention/figures/retention-metrics';
import { useDatabase } from '@/tests/database/use-database';
import { RETENTION_JOBS } from './job-run';
import { runSchedules } from './schedule';

/** None of them fires in the middle of the test. */
const NEVER_SOON = '0 0 29 2 *';

useDatabase({
  DATA_RETENTION_CRON: NEVER_SOON,
  DATA_RETENTION_LIMIT_CRON: NEVER_SOON,
  DATA_RETENTION_BURST_CLEANUP_CRON: NEVER_SOON,
});

const countRuns = async () =>
  (await database().query('SELECT FROM retention_runs WHERE ended_at IS NOT NULL')).rowCount;

it('runs in the future, from a wrong clock, neither keep jobs from running nor hide later runs from metrics', async () => {
  const at = addMs(new Date(), 365 * DAY_MS);
  for (const job of RETENTION_JOBS) {
    await database().query(
      `INSERT INTO retention_runs (id, job, started_at, ended_at, created_at)
       VALUES (overlay($1 placing substr(gen_random_uuid()::text, 25) from 25)::uuid, $2, $3, $3, $3)`,
      [lowestIdAt(at), job, at],
    );
  }
  const stopping = new AbortController();
  const schedules = runSchedules(stopping.signal);
  // All but burst, because main counts as one.
  await vi.waitFor(async () => expect(await countRuns()).toBe(2 * RETENTION_JOBS.length - 1), { timeout: 30_000 });
  stopping.abort();
  await schedules;
  const main = (await listRunTimes()).find(({ job }) => job === 'main');
  expect(main?.startedAt).toBeLessThan(Date.now() / 1000 + 60);
  expect(main?.succeededAt).toBeLessThan(Date.now() / 1000 + 60);
});
