import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { findFreePort } from '@/lib/platform/free-port';
import { tryJobLock } from '@/lib/retention/jobs/job-lock';
import { useDatabase } from '@/tests/database/use-database';
import { untilEnded, useProcesses } from '@/tests/processes/entry-process';
import { idsOfDatabase } from '@/tests/retention/retention-model';
import { insertTraffic } from '@/tests/retention/simulated-traffic';
import { readCounters } from '@/tests/retention/test-run';
import { testVariables } from '@/tests/setup/variables';

const { url } = useDatabase();
const start = useProcesses('scripts/retention.ts', () => ({
  ...testVariables(),
  DATABASE_URL: url,
  LOG_LEVEL: 'info',
}));

const TABLES = ['events', 'incoming_events', 'deliveries', 'delivery_attempts', 'tunnel_request_log', 'outbox'];

/** Runs `npm run retention -- …` to its end. */
async function run(args: string[], environment: Record<string, string> = {}) {
  const { code, stdout, stderr } = await untilEnded(start(args, environment));
  return { code, printed: stdout === '' ? null : JSON.parse(stdout), lines: stdout.split('\n').length - 1, stderr };
}

const countRuns = async () => (await database().query('SELECT FROM retention_runs')).rowCount;

beforeEach(async () => {
  await database().query('DELETE FROM retention_runs; DELETE FROM metric_counters');
});

describe('npm run retention -- JOB', () => {
  it.each(['main', 'cap', 'burst', 'metrics', 'partitions'])(
    '%s prints one line of JSON on stdout, keeps its log on stderr, and exits with 0',
    async (job) => {
      const { code, printed, lines, stderr } = await run([job]);
      expect([code, lines], stderr).toEqual([0, 1]);
      expect(printed).toMatchObject({ job, status: 'done', error: null, durationMs: expect.any(Number) });
      expect(Date.parse(printed.startedAt)).toBeLessThanOrEqual(Date.now());
      const { rows } = await database().query('SELECT job, error FROM retention_runs WHERE ended_at IS NOT NULL');
      expect(rows).toEqual([{ job, error: null }]);
    },
  );

  it('refuses an unknown job in one line that names the jobs, and exits with 1', async () => {
    const { code, printed, stderr } = await run(['everything']);
    expect([code, printed]).toEqual([1, null]);
    expect(stderr).toMatch(/^[^\n]*main, cap, burst, metrics, partitions[^\n]*\n$/);
    expect(await countRuns()).toBe(0);
  });

  it('says that the job is already running in another process, and exits with 1', async () => {
    const lock = await tryJobLock('main');
    const { code, printed, stderr } = await run(['burst']);
    await lock?.release();
    expect(code).toBe(1);
    expect(printed).toMatchObject({ job: 'burst', status: 'already_running' });
    expect(stderr).toMatch(/^burst: The job is already running[^\n]*\n$/);
    expect(await countRuns()).toBe(0);
  });

  it('reports a failed step in JSON, in the run and by its exit code', async () => {
    await database().query('ALTER TABLE user_tokens RENAME TO elsewhere');
    const { code, printed, stderr } = await run(['main']);
    await database().query('ALTER TABLE elsewhere RENAME TO user_tokens');
    expect([code, printed.status]).toEqual([1, 'failed']);
    expect(printed.error).toContain('relation "user_tokens" does not exist');
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(`main: ${printed.error}`);
  });

  it('reports in one line without a stack that the database is unreachable', async () => {
    const { code, printed, stderr } = await run(['main'], {
      DATABASE_URL: `postgresql://app:secret@127.0.0.1:${await findFreePort('127.0.0.1')}/app`,
    });
    expect([code, printed.status]).toEqual([1, 'failed']);
    expect(stderr).toMatch(/^main: The database is unreachable: connect ECONNREFUSED [^\n]*\n$/);
    expect(JSON.stringify(printed) + stderr).not.toContain('secret');
  });

  it('reports in one line that the database was never migrated, with the command that fixes it', async () => {
    await database().query('ALTER TABLE retention_runs RENAME TO elsewhere');
    const { code, printed, stderr } = await run(['main']);
    await database().query('ALTER TABLE elsewhere RENAME TO retention_runs');
    expect([code, printed.status, `main: ${printed.error}\n`]).toEqual([1, 'failed', stderr]);
    expect(stderr).toMatch(
      /^main: The database is not at the schema of this version, run "npm run migrate" first: [^\n]*\n$/,
    );
  });

  it('exits with 0 for partitions where PARTITION_MAINTENANCE_ENABLED is false', async () => {
    const { code, printed, stderr } = await run(['partitions'], { PARTITION_MAINTENANCE_ENABLED: 'false' });
    expect([code, printed.status, printed.partitionsCreated]).toEqual([0, 'disabled', 0]);
    expect(stderr).toContain('PARTITION_MAINTENANCE_ENABLED is false');
  });

  it('refuses a cron that never fires, and names the variable, its fault and its default', async () => {
    const { code, printed, stderr } = await run(['main'], { DATA_RETENTION_CRON: '0 0 30 2 *' });
    expect([code, printed]).toEqual([1, null]);
    expect(stderr).toBe(
      'DATA_RETENTION_CRON: must be a cron that fires; no date matches this one (default: 0 2 * * *)\n',
    );
  });
});

describe('npm run retention with many expired rows', () => {
  /** Windows of days instead of months: the same rules over fewer partitions. */
  const windows = {
    DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS: '3',
    DATA_RETENTION_ATTEMPTS_DAYS: '10',
    DATA_RETENTION_EVENTS_DAYS: '10',
    DATA_RETENTION_INCOMING_EVENTS_DAYS: '6',
    OUTBOX_DEAD_RETENTION_DAYS: '10',
  };

  beforeAll(async () => {
    await insertTraffic({ days: 24, times: 3, seed: 20260301 });
  });

  it('previews with --dry-run, and changes nothing', async () => {
    const before = await idsOfDatabase(TABLES);
    const { code, printed, lines, stderr } = await run(['main', '--dry-run'], windows);
    expect([code, lines], stderr).toEqual([0, 1]);
    expect(printed).toMatchObject({ job: 'main', dryRun: true, at: expect.any(String) });
    expect(printed.rowsToRemove.events).toBeGreaterThan(20);
    expect(printed.partitionsToDrop.length).toBeGreaterThan(20);
    expect(await idsOfDatabase(TABLES)).toEqual(before);
    expect([await countRuns(), await readCounters()]).toEqual([0, {}]);
  });
});
