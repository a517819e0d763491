import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runRetentionJob } from '@/lib/admin/run-retention';
import type { OperatorCaller } from '@/lib/audit/caller';
import { abortLongTasks, settleBackground } from '@/lib/platform/background';
import { config } from '@/lib/platform/config/config';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { RETENTION_JOBS } from '@/lib/retention/jobs/job-run';
import { tryJobLock } from '@/lib/retention/jobs/run-job';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { insertProject } from '@/tests/fixtures/deliveries';
import { ADMIN_TOKEN, callAsOperator } from '@/tests/fixtures/operator';
import { registerPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });

const run = (body: unknown) => callAsOperator<{ code: string; detail: string }>('POST', '/retention/run', { body });
const caller: OperatorCaller = { type: 'operator', client: { ipAddress: '198.51.100.7', userAgent: null } };

async function listRuns() {
  const { rows } = await database().query('SELECT * FROM retention_runs ORDER BY id');
  return rows;
}

const countStarts = async () =>
  (await database().query(`SELECT FROM audit_log WHERE action = 'retention.started'`)).rowCount;

const dropTunnelDays = (limit: string) =>
  database().query(
    `DO $$ DECLARE t text; BEGIN FOR t IN SELECT relname FROM pg_class WHERE relnamespace = 'partitions'::regnamespace
       AND relname ~ '^tunnel_request_log_p\\d{8}$' ORDER BY 1 DESC LIMIT ${limit}
     LOOP EXECUTE 'DROP TABLE partitions.' || t; END LOOP; END $$`,
  );

/** Expired events: with batches of one, removing them takes long enough for a second request. */
async function insertExpiredEvents(count: number): Promise<void> {
  await sqlWithTimeout(LONG_STATEMENT_MS).query(
    `INSERT INTO events (id, project_id, type, payload, created_at)
     SELECT gen_random_uuid(), $1, 'order.paid', '{}', now() - interval '100 days' FROM generate_series(1, $2::int)`,
    [await insertProject(), count],
  );
  setOnce('config', { ...config(), DATA_RETENTION_BATCH_SIZE: 1 });
}

let kept: ReturnType<typeof config>;
beforeEach(async () => {
  kept = config();
  await database().query('DELETE FROM retention_runs');
});
afterEach(async () => {
  abortLongTasks();
  await settleBackground();
  setOnce('background', undefined);
  setOnce('config', kept);
  await database().query('DELETE FROM events');
});

describe('running a retention job', () => {
  it.each(RETENTION_JOBS)('%s answers 204 when it is done, and records a run and an audit entry', async (job) => {
    const response = await run({ job });
    expect([response.status, response.text]).toEqual([204, '']);
    const [row, ...more] = await listRuns();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ job, error: null, ended_at: expect.any(Date) });
    expect(await auditOf(row.id)).toEqual([
      expect.objectContaining({ action: 'retention.started', actor_type: 'OPERATOR', details: { job } }),
    ]);
  });

  it('creates missing partitions', async () => {
    await run({ job: 'partitions' });
    await dropTunnelDays('1');
    await run({ job: 'partitions' });
    expect((await listRuns()).at(-1)).toMatchObject({ partitions_created: 1 });
  });

  it('accepts known jobs only, from the operator only', async () => {
    for (const body of [{ job: 'everything' }, {}, { job: 'partitions', force: true }]) {
      expect((await run(body)).status).toBe(400);
    }
    const { accessToken } = await registerPerson();
    const path = '/api/v1/admin/retention/run';
    expect((await call('POST', path, { bearer: accessToken, body: { job: 'partitions' } })).status).toBe(401);
    expect(await listRuns()).toEqual([]);
  });
});

describe('a job that cannot be run', () => {
  it('answers 409 while it is already running, and records neither run nor audit entry', async () => {
    const starts = await countStarts();
    const lock = await tryJobLock('main');
    const responses = await Promise.all([run({ job: 'main' }), run({ job: 'burst' }), run({ job: 'cap' })]);
    await lock?.release();
    expect(responses.map(({ status }) => status)).toEqual([409, 409, 204]);
    expect(responses[0]?.json).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('The job is already running'),
    });
    expect((await listRuns()).map(({ job }) => job)).toEqual(['cap']);
    expect(await countStarts()).toBe((starts ?? 0) + 1);
  });

  it('answers 409 while PARTITION_MAINTENANCE_ENABLED is false, for partitions only', async () => {
    setOnce('config', { ...config(), PARTITION_MAINTENANCE_ENABLED: false });
    expect((await run({ job: 'partitions' })).json).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('PARTITION_MAINTENANCE_ENABLED'),
    });
    expect((await run({ job: 'main' })).status).toBe(204);
    expect((await listRuns()).map(({ job }) => job)).toEqual(['main']);
  });

  it('answers 500 with the reason when it fails', async () => {
    await database().query('ALTER TABLE user_tokens RENAME TO elsewhere');
    const response = await run({ job: 'main' });
    await database().query('ALTER TABLE elsewhere RENAME TO user_tokens');
    expect([response.status, response.json.code]).toEqual([500, 'internal_error']);
    expect(response.json.detail).toContain('relation "user_tokens" does not exist');
    expect((await listRuns())[0].error).toContain('relation "user_tokens" does not exist');
  });
});

describe('a job that takes long', () => {
  it('continues after the request has been answered', async () => {
    await insertExpiredEvents(300);
    await runRetentionJob(caller, 'main', { waitMs: 300 });
    await vi.waitFor(async () => expect(await listRuns()).toMatchObject([{ ended_at: null }]), { timeout: 30_000 });
    await settleBackground();
    expect((await listRuns())[0]).toMatchObject({ error: null, rows_removed: { events: 300 } });
  });

  it('stops with its process: the request gets 503, and the run is recorded as stopped', async () => {
    await insertExpiredEvents(2000);
    const response = run({ job: 'main' });
    const countEvents = async () => (await database().query('SELECT FROM events')).rowCount;
    await vi.waitFor(async () => expect(await countEvents()).toBeLessThan(2000), { timeout: 30_000 });
    abortLongTasks();
    expect((await response).status).toBe(503);
    await settleBackground();
    expect((await listRuns())[0]).toMatchObject({ error: 'stopped', ended_at: expect.any(Date) });
  });
});
